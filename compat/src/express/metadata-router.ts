import { type RequestHandler, Router } from "express";
import {
  type AuthMetadataOptions,
  authorizationServerPath,
  buildOAuthProtectedResourceMetadata,
  documentReply,
  protectedResourcePath,
} from "../shared/resource-metadata.js";

/** Serves the documents by which clients find the authorization server. Use it at the root of the application. */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): Router {
  const ofResource = buildOAuthProtectedResourceMetadata({
    ...options,
    dangerouslyAllowInsecureIssuerUrl: options.dangerouslyAllowInsecureIssuerUrl ?? allowsInsecureIssuers(),
  });
  const router = Router();
  router.all(protectedResourcePath(options.resourceServerUrl), metadataHandler(ofResource));
  router.all(authorizationServerPath, metadataHandler(options.oauthMetadata));
  return router;
}

/** Whether the environment of the official SDK allows issuers with `http:` URLs. */
export function allowsInsecureIssuers(): boolean {
  return ["true", "1"].includes(process.env["MCP_DANGEROUSLY_ALLOW_INSECURE_ISSUER_URL"] ?? "");
}

/** Responds with a document, also to scripts of other origins. */
export function metadataHandler(document: object): RequestHandler {
  return (request, response) => {
    const { status, headers, body } = documentReply(
      request.method,
      request.get("access-control-request-headers"),
      document,
    );
    response.status(status).set(headers);
    if (body) response.json(body);
    else response.end();
  };
}
