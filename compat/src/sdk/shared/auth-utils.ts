export { checkResourceAllowed, resourceUrlFromServerUrl } from "../../shared/resource-urls.js";
