export { InMemoryTransport } from "../shared/in-memory.js";
