export { UriTemplate, type Variables } from "../../shared/uri-template.js";
