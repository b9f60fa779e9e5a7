import { type PropertyAccessExpression, SyntaxKind } from "ts-morph";
import type { FileRewriter } from "../file-rewriter.js";
import { changedBy } from "./changes.js";
import type { Rule } from "./rule.js";

/** Members that classes do not have here, and what to do. JavaScript would read `undefined`. */
const lost: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Client: {
    transport: "keep the transport that you pass to connect: clients have no member for it",
    registerCapabilities: "capabilities are an option of Client",
  },
  Server: { transport: "a server has any number of connections: that of a request is context.connection" },
};

/** Members that registered tools, prompts and resources have here. */
const kept: ReadonlySet<string> = new Set(["update", "enable", "disable", "remove", "enabled"]);

/** Marks members that official classes have, and ours do not. */
export const lostMembers: Rule = {
  id: "lost-members",
  summary: "`client.transport`, `tool.enabled = false` and other members without a counterpart get a comment.",
  run(rewriter) {
    for (const access of rewriter.file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)) {
      const remedy = remedyFor(rewriter, access);
      if (remedy !== undefined) rewriter.todo(access, remedy, "replace-members");
    }
  },
};

function remedyFor(rewriter: FileRewriter, access: PropertyAccessExpression): string | undefined {
  const name = access.getName();
  const owner = rewriter.officialType(access.getExpression());
  if (owner === undefined || isDeclared(access, rewriter)) return undefined;
  if (owner === "RegisteredItem") {
    const isSet = changedBy(access.getParent()) === access;
    if (name === "enabled" && isSet) return "enabled cannot be set: call enable or disable";
    return kept.has(name) ? undefined : `${name} has no counterpart: update changes what was registered`;
  }
  const members = Object.hasOwn(lost, owner) ? lost[owner] : undefined;
  return members && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Whether a class of the program declares the member itself. */
function isDeclared(access: PropertyAccessExpression, { typesPath }: FileRewriter): boolean {
  const declarations = access.getNameNode().getSymbol()?.getDeclarations() ?? [];
  return declarations.some((one) => one.getSourceFile().getFilePath() !== typesPath);
}
