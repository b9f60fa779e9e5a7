import type { HttpReply } from "./gate/authorization-policy.js";

/** The metadata of a protected resource (RFC 9728, section 2), in the names that it is published with. */
export interface ResourceMetadataDocument {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  /** The scopes of basic use; clients without another hint request all of them. */
  readonly scopes_supported?: readonly string[] | undefined;
  readonly bearer_methods_supported: readonly string[];
  readonly resource_name?: string | undefined;
  readonly resource_documentation?: string | undefined;
  readonly resource_policy_uri?: string | undefined;
  readonly resource_tos_uri?: string | undefined;
  readonly dpop_signing_alg_values_supported?: readonly string[] | undefined;
  readonly dpop_bound_access_tokens_required?: boolean | undefined;
}

/** Returns the response with a metadata document (RFC 9728, section 3.2). It is short-lived in caches, so that changes arrive. */
export function metadataReply(document: ResourceMetadataDocument): HttpReply {
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "public, max-age=300" },
    body: JSON.stringify(document),
  };
}
