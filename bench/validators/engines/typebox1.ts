import { Compile } from "typebox/schema";
import type { Engine } from "../contract.js";
import { schemaOf } from "./json-schema.js";

/** TypeBox 1.x is a separate package, and compiles JSON Schema directly. */
export const typebox1: Engine = {
  name: "TypeBox 1.x",
  packageName: "typebox",
  load: (revision) => {
    const { $defs } = schemaOf(revision);
    return Promise.resolve((definition) => {
      if (!Object.hasOwn($defs, definition)) return undefined;
      const validator = Compile({ $defs, $ref: `#/$defs/${definition}` });
      return (value) => validator.Check(value);
    });
  },
};
