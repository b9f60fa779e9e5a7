import { binding, code, join, literal, nothing, type Code } from "../../shared/code/code.js";
import type { BoundExtension } from "./bound-extensions.js";

/** The statements that import and export the extensions. */
export function printExtensions(extensions: readonly BoundExtension[]): Code {
  if (extensions.length === 0) return nothing;
  const imports = extensions.map(
    ({ name, value }) =>
      code`import { ${binding(value.name)} as ${binding(`${name}Extension`)} } from ${literal(value.module)};\n`,
  );
  const exports = extensions.map(
    ({ id, name, messages }) =>
      code`/** The messages of the extension ${literal(id)}; pass \`client.connection\` to its functions. */\nexport * as ${binding(name)} from ${literal(messages)};\n`,
  );
  const values = extensions.map(
    ({ name, value }) => code`${binding(`${name}Extension`)}${value.isCalled ? code`()` : nothing}`,
  );
  return code`${join(imports, "")}
${join(exports, "\n")}
/** The extensions that the client declares: \`new Client(info, { extensions })\`. */
export const extensions = [${join(values, ", ")}];
`;
}
