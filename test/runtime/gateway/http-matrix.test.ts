/** The features of `matrix.test.ts` over HTTP, on one side or on both. */
import { describeFeatures, pairs } from "./features.js";

describeFeatures([...pairs("http", "http"), ...pairs("memory", "http"), ...pairs("http", "memory")]);
