import type { Client } from "@mcpwright/runtime/client";
import {
  skills,
  SkillsClient,
  SkillVerificationError,
  type SkillProblemReason,
} from "@mcpwright/runtime/skills/client";
import { parse } from "yaml";

/** Lists the skills of the server, and reads none of them. */
export const listSkills = {
  extensions: [skills()],
  run: (client: Client): Promise<unknown> => readerOf(client).list(),
};

/**
 * Reads a skill that is not what its entry states, and then nothing else of it.
 * @param reason what must be found to differ
 */
export function refuseSkill(reason: SkillProblemReason) {
  return {
    extensions: [skills()],
    run: async (client: Client): Promise<void> => {
      const reader = readerOf(client);
      const [skill] = (await reader.list()).skills;
      if (!skill) throw new Error("The server lists no skill");
      const error: unknown = await reader.read(skill).then(
        () => new Error("The skill has to be refused"),
        (error: unknown) => error,
      );
      if (!(error instanceof SkillVerificationError) || error.reason !== reason) throw error;
    },
  };
}

function readerOf(client: Client): SkillsClient {
  return new SkillsClient(client, { parseFrontmatter: parse });
}
