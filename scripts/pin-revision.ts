import { createHash } from "node:crypto";
import { digestsByName } from "../generator/shared/fidelity/digest.js";
import { lossyNames, type RevisionPin } from "../generator/shared/fidelity/pins.js";
import { readJsonSchema } from "../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../generator/pipeline/read/typescript.js";

export interface OfficialFiles {
  readonly commit: string;
  readonly "schema.ts": Uint8Array;
  readonly "schema.json": Uint8Array;
}

/** @throws DiagnosticError when a file cannot be read as a schema; Error when only schema.json has some definition */
export function pinRevision(revision: string, files: OfficialFiles): RevisionPin {
  const source = readTypeScript(text(files["schema.ts"]), `${revision}/schema.ts`);
  const ts = digestsByName(source);
  const json = digestsByName(readJsonSchema(text(files["schema.json"]), `${revision}/schema.json`));
  const strangers = Object.keys(json).filter((name) => !Object.hasOwn(ts, name));
  if (strangers.length > 0) throw new Error(`${revision}: only schema.json has ${strangers.join(", ")}`);
  return {
    commit: files.commit,
    "schema.ts": sha256(files["schema.ts"]),
    "schema.json": sha256(files["schema.json"]),
    definitions: Object.fromEntries(
      Object.entries(ts).map(([name, digest]) => {
        const printed = json[name];
        return [name, printed === undefined ? { ts: digest } : { ts: digest, json: printed }];
      }),
    ),
    lossy: lossyNames(source),
  };
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
