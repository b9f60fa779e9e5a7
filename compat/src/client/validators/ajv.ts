export { Ajv } from "ajv";
export { default as addFormats } from "ajv-formats";
export { AjvJsonSchemaValidator } from "../../shared/validators/ajv.js";
export type { AjvLike } from "../../shared/validators/ajv.js";
