export * from "../../../oauth-server/errors.js";
