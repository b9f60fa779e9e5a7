/** Makes the pictures of the documentation from their sources: `npm run docs:pictures`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pictureFiles } from "./pictures.js";

const docs = join(import.meta.dirname, "../../docs");
for (const { path, svg } of pictureFiles()) {
  mkdirSync(dirname(join(docs, path)), { recursive: true });
  writeFileSync(join(docs, path), svg);
}
