export type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
  JsonSchemaValidatorResult,
} from "../../shared/json-schema-validator.js";
