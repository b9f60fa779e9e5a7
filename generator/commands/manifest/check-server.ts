import { diagnostic, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { publishedSchema, serverSchema } from "./server-schema.js";

/** Checks the content of a `server.json`. @returns an error for each place that the schema rejects */
export async function checkServer(content: unknown, path: string): Promise<readonly Diagnostic[]> {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const uri = { type: "string", validate: (value: string) => URL.canParse(value) } as const;
  const validate = new Ajv2020({ allErrors: true, strict: false, formats: { uri } }).compile(serverSchema);
  if (validate(content)) return [];
  // Of alternatives, each error says only why one of them does not fit.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "anyOf");
  const places = new Map(errors.map(({ instancePath, message = "is invalid" }) => [instancePath, message]));
  return [...places].map(([place, message]) =>
    diagnostic("manifest-invalid", {
      path,
      place: place === "" ? "it" : place.slice(1).replaceAll("/", "."),
      problem: message,
      version: publishedSchema.version,
    }),
  );
}
