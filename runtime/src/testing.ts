export { transportBehaviours } from "./testing/transport-suite.js";
export type { TransportBehaviour, TransportHarness } from "./testing/transport-suite.js";
