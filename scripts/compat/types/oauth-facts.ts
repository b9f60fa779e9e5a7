/** The documents of OAuth and OpenID Connect, as the official SDK describes them. Their RFCs name the members. */
import {
  array,
  boolean,
  type Definition,
  type Member,
  type Mode,
  type Node,
  number,
  type ObjectNode,
  part,
  string,
  type Version,
} from "./node.js";

const url = part("url", "string");
const safeUrl = part("safeUrl", "string");
const urlOrEmpty = part("optionalSafeUrl", "string", true);
const texts = array(string);

/** Names of members, separated by spaces, by their type. Names that end in `!` are required. */
type Members = readonly (readonly [type: Node, names: string])[];

function document(mode: Mode, members: Members): ObjectNode {
  return {
    kind: "object",
    mode,
    members: members.flatMap(([type, names]) =>
      names.split(" ").map((name): Member => {
        return { name: name.replace("!", ""), optional: !name.endsWith("!"), type };
      }),
    ),
  };
}

const server: Members = [
  [string, "issuer!"],
  [safeUrl, "authorization_endpoint! token_endpoint! registration_endpoint"],
  [texts, "response_types_supported! scopes_supported response_modes_supported grant_types_supported"],
  [texts, "token_endpoint_auth_methods_supported token_endpoint_auth_signing_alg_values_supported"],
  [boolean, "client_id_metadata_document_supported"],
];

const provider: Members = [
  ...server,
  [safeUrl, "jwks_uri! userinfo_endpoint op_policy_uri op_tos_uri"],
  [string, "service_documentation"],
  [texts, "subject_types_supported! id_token_signing_alg_values_supported! acr_values_supported"],
  [texts, "id_token_encryption_alg_values_supported id_token_encryption_enc_values_supported"],
  [texts, "userinfo_signing_alg_values_supported userinfo_encryption_alg_values_supported"],
  [texts, "userinfo_encryption_enc_values_supported request_object_signing_alg_values_supported"],
  [texts, "request_object_encryption_alg_values_supported request_object_encryption_enc_values_supported"],
  [texts, "display_values_supported claim_types_supported claims_supported"],
  [texts, "claims_locales_supported ui_locales_supported"],
  [boolean, "claims_parameter_supported request_parameter_supported request_uri_parameter_supported"],
  [boolean, "require_request_uri_registration"],
];

const identity: Members = [
  [string, "client_id! client_secret"],
  [number, "client_id_issued_at client_secret_expires_at"],
  [part("lenientText", "string", true), "issuer"],
];

/** Returns the documents that a version of the official SDK names. */
export function oauthDefinitions(version: Version): readonly Definition[] {
  const isCore = version === "core";
  const issuerFlag: Members = isCore
    ? [[part("lenientBoolean", "boolean", true), "authorization_response_iss_parameter_supported"]]
    : [];
  const client: Members = [
    [array(safeUrl), "redirect_uris!"],
    [texts, "grant_types response_types contacts"],
    [string, `token_endpoint_auth_method client_name scope policy_uri${isCore ? " application_type" : ""}`],
    [string, "software_id software_version software_statement"],
    [safeUrl, "client_uri jwks_uri"],
    [urlOrEmpty, "logo_uri tos_uri"],
    [part("anyValue", "any"), "jwks"],
  ];
  const nodes: Record<string, Node> = {
    SafeUrl: safeUrl,
    OptionalSafeUrl: urlOrEmpty,
    OAuthProtectedResourceMetadata: document("loose", [
      [url, "resource! jwks_uri resource_policy_uri resource_tos_uri"],
      [array(safeUrl), "authorization_servers"],
      [string, "resource_name resource_documentation"],
      [texts, "scopes_supported bearer_methods_supported resource_signing_alg_values_supported"],
      [texts, "authorization_details_types_supported dpop_signing_alg_values_supported"],
      [boolean, "tls_client_certificate_bound_access_tokens dpop_bound_access_tokens_required"],
    ]),
    OAuthMetadata: document("loose", [
      ...server,
      ...issuerFlag,
      [safeUrl, "service_documentation revocation_endpoint"],
      [string, "introspection_endpoint"],
      [texts, "revocation_endpoint_auth_methods_supported revocation_endpoint_auth_signing_alg_values_supported"],
      [texts, "introspection_endpoint_auth_methods_supported"],
      [texts, "introspection_endpoint_auth_signing_alg_values_supported code_challenge_methods_supported"],
      ...(isCore ? ([[texts, "dpop_signing_alg_values_supported"]] as const) : []),
    ]),
    OpenIdProviderMetadata: document("loose", [...provider, ...issuerFlag]),
    OpenIdProviderDiscoveryMetadata: document("strip", [
      ...provider,
      ...issuerFlag,
      [texts, "code_challenge_methods_supported"],
    ]),
    OAuthTokens: document("strip", [
      [string, "access_token! token_type! id_token scope refresh_token"],
      [part("coercedNumber", "number"), "expires_in"],
      [part("lenientText", "string", true), "issuer"],
    ]),
    ...(isCore && {
      IdJagTokenExchangeResponse: document("strip", [
        [{ kind: "literal", value: "urn:ietf:params:oauth:token-type:id-jag" }, "issued_token_type!"],
        [string, "access_token! token_type scope"],
        [number, "expires_in"],
      ]),
    }),
    OAuthErrorResponse: document("strip", [[string, "error! error_description error_uri"]]),
    OAuthClientMetadata: document("strip", client),
    OAuthClientInformation: document("strip", identity),
    OAuthClientInformationFull: document("strip", [...client, ...identity]),
    OAuthClientRegistrationError: document("strip", [[string, "error! error_description"]]),
    OAuthTokenRevocationRequest: document("strip", [[string, "token! token_type_hint"]]),
  };
  return Object.entries(nodes).map(([name, node]) => ({ name, node }));
}
