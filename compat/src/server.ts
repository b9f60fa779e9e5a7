export { JSONRPC_VERSION } from "./types/constants.js";
