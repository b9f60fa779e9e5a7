import * as types from "@modelcontextprotocol/sdk/types.js";
import type { Engine } from "../contract.js";

interface ZodSchema {
  safeParse(value: unknown): { readonly success: boolean };
}

export const sdk1: Engine = {
  name: "SDK 1.x (zod)",
  packageName: "@modelcontextprotocol/sdk",
  load: (revision) => {
    if (revision !== "2025-11-25") return Promise.resolve(undefined);
    const schemas: Readonly<Record<string, unknown>> = types;
    return Promise.resolve((definition) => {
      const schema = schemas[`${definition}Schema`] as ZodSchema | undefined;
      return schema && ((value) => schema.safeParse(value).success);
    });
  },
};
