import { afterEach } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { describeDeadListeners } from "./dead-listener.js";

let backplane = new MemoryBackplane();
afterEach(() => {
  backplane = new MemoryBackplane();
});

describeDeadListeners(() => backplane);
