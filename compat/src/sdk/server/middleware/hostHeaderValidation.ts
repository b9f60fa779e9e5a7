export { hostHeaderValidation, localhostHostValidation } from "../../../express/guards.js";
