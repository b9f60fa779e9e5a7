import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { afterEach } from "vitest";
import { describeSessions } from "./session-behaviours.js";

let backplane = new MemoryBackplane();
afterEach(() => {
  backplane = new MemoryBackplane();
});

describeSessions(() => backplane);
