import { Ajv2020 } from "ajv/dist/2020.js";
import type { Engine } from "../contract.js";
import { schemaOf } from "./json-schema.js";

export const ajv: Engine = {
  name: "ajv",
  packageName: "ajv",
  load: (revision) => {
    // Treat formats as annotations, as our predicates do.
    const instance = new Ajv2020({ strict: false, validateFormats: false });
    instance.addSchema(schemaOf(revision), "mcp");
    return Promise.resolve((definition) => {
      const validate = instance.getSchema(`mcp#/$defs/${definition}`);
      return validate && ((value) => validate(value) === true);
    });
  },
};
