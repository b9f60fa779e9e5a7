export { allowedMethods } from "../../../../oauth-server/endpoint.js";
