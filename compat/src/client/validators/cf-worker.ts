export { CfWorkerJsonSchemaValidator } from "../../shared/validators/cf-worker.js";
export type { CfWorkerSchemaDraft } from "../../shared/validators/cf-worker.js";
