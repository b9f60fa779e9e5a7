import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { describe } from "vitest";
import { severalNodes } from "./several-nodes.js";

describe("in memory", () => {
  let backplane: MemoryBackplane;
  // The first node of each test opens a new one.
  severalNodes((node) => (node === 0 ? (backplane = new MemoryBackplane()) : backplane));
});
