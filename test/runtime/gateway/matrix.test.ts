/** Every feature between clients and servers of all revisions, through a gateway in the same process. */
import { describeFeatures, pairs } from "./features.js";

describeFeatures(pairs("memory", "memory"));
