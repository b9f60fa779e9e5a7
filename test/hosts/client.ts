/** Runs the suite on Node, Bun and Deno. Arguments: the server's URL, and the behaviours to leave out, as JSON. */
import { type LeftOut, runSuite } from "./suite.js";

const [, , url = "", leftOut = "[]"] = process.argv;
process.stdout.write(`${JSON.stringify(await runSuite(url, JSON.parse(leftOut) as LeftOut[]))}\n`);
