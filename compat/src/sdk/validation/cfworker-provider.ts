export { CfWorkerJsonSchemaValidator, type CfWorkerSchemaDraft } from "../../shared/validators/cf-worker.js";
