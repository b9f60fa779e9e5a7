export { ajv } from "./ajv.js";
export { ajvStandalone } from "./ajv-standalone.js";
export { mcpwright } from "./mcpwright.js";
export { sdk1 } from "./sdk1.js";
export { sdk2 } from "./sdk2.js";
export { typebox } from "./typebox.js";
export { typebox1 } from "./typebox1.js";
export { typia } from "./typia.js";
