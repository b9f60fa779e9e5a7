import { relative, resolve } from "node:path";
import ts from "typescript";

export const root = resolve(import.meta.dirname, "../..");

/** Compiler options that users are likely to have, at their strictest; no types but the language's. */
export const strictest = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts"],
  types: [],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  noEmit: true,
} as const satisfies ts.CompilerOptions;

export interface Verdict {
  /** One line per error: `file(line): code text`. */
  readonly errors: readonly string[];
}

/**
 * Compiles files.
 * @param texts replaces or adds files, by absolute path
 */
export function typecheck(
  files: readonly string[],
  options: ts.CompilerOptions = strictest,
  texts: Readonly<Record<string, string>> = {},
): Verdict {
  const disk = ts.createCompilerHost(options);
  const textOf = (path: string): string | undefined => (Object.hasOwn(texts, path) ? texts[path] : undefined);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => textOf(path) !== undefined || disk.fileExists(path),
    readFile: (path) => textOf(path) ?? disk.readFile(path),
    getSourceFile: (path, languageVersion, ...rest) => {
      const text = textOf(path);
      if (text !== undefined) return ts.createSourceFile(path, text, languageVersion);
      if (!/[/\\]lib\.[^/\\]*\.d\.ts$/.test(path)) return disk.getSourceFile(path, languageVersion, ...rest);
      const known = libraries.get(path) ?? disk.getSourceFile(path, languageVersion, ...rest);
      if (known) libraries.set(path, known);
      return known;
    },
  };
  const program = ts.createProgram({ rootNames: [...files, ...Object.keys(texts)], options, host });
  return { errors: ts.getPreEmitDiagnostics(program).map(printed) };
}

/** The language's own declarations are shared by all programs. */
const libraries = new Map<string, ts.SourceFile>();

function printed({ file, start = 0, code, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, " ").replaceAll(/\s+/g, " ");
  if (!file) return `TS${code} ${text}`;
  const line = file.getLineAndCharacterOfPosition(start).line + 1;
  return `${relative(root, file.fileName)}(${line}): TS${code} ${text}`;
}
