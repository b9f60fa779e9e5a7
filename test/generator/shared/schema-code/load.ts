import { resolve } from "node:path";
import ts from "typescript";
import {
  printValidators,
  type NamedSchema,
  type ValidatorOptions,
} from "../../../../generator/shared/schema-code/print-validators.js";
import { format } from "../../../../generator/pipeline/format/format.js";
import { root, strictest, typecheck } from "../../../support/typecheck.js";

export interface Issue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

export interface Validator {
  is(value: unknown): boolean;
  check(value: unknown): readonly Issue[];
}

/** The printed module as users get it, with a declaration for each type. */
export async function source(schemas: readonly NamedSchema[], options: ValidatorOptions = {}): Promise<string> {
  const types = schemas.map(({ name }) => `export type ${name} = unknown;`).join("\n");
  return format("validators.ts", `${types}\n${printValidators(schemas, options).text}`);
}

/** The compiler's errors for a printed module. */
export function complaints(text: string): readonly string[] {
  return typecheck(
    [],
    { ...strictest, allowUnreachableCode: false, noImplicitReturns: true },
    { [resolve(root, "test/validators.ts")]: text },
  ).errors;
}

/** Runs a printed module. */
export async function load(
  schemas: readonly NamedSchema[],
  options: ValidatorOptions = {},
): Promise<Readonly<Record<string, Validator>>> {
  const { outputText } = ts.transpileModule(await source(schemas, options), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ES2022 },
  });
  const module = (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as Record<string, never>;
  return Object.fromEntries(
    schemas.map(({ name }) => [
      name,
      { is: module[`is${name}`], check: module[`check${name}`] } as unknown as Validator,
    ]),
  );
}
