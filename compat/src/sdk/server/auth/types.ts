export type { AuthInfo } from "../../messages.js";
