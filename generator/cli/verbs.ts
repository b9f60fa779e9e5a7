import { compareSchemaCommand } from "../commands/compare-schema/command.js";
import { bindCommand } from "../commands/bind/command.js";
import { bundleCommand } from "../commands/bundle/command.js";
import { compileCommand } from "../commands/compile/command.js";
import { completionCommand } from "../commands/completion/command.js";
import { diffCommand } from "../commands/diff/command.js";
import { doctorCommand } from "../commands/doctor/command.js";
import { explainCommand } from "../commands/explain/command.js";
import { devCommand } from "../commands/dev/command.js";
import { gatewayCommand } from "../commands/gateway/command.js";
import { gatewayLockCommand } from "../commands/gateway/lock/command.js";
import { generateCommand } from "../commands/generate/command.js";
import { inspectCommand } from "../commands/inspect/command.js";
import { installCommand } from "../commands/install/command.js";
import { loginCommand } from "../commands/login/command.js";
import { logoutCommand } from "../commands/logout/command.js";
import { manifestCommand } from "../commands/manifest/command.js";
import { migrateCommand } from "../commands/migrate/command.js";
import { modelCommand } from "../commands/model/command.js";
import { newCommand } from "../commands/new/command.js";
import { outdatedCommand } from "../commands/outdated/command.js";
import { revisionsCommand } from "../commands/revisions/command.js";
import type { Context } from "../shared/command/context.js";
import { updateCommand } from "../commands/update/command.js";
import { validateCommand } from "../commands/validate/command.js";
import type { Verb } from "../shared/command/verb.js";
import { vendorCommand } from "../commands/vendor/command.js";

export interface VerbGroup {
  readonly title: string;
  readonly verbs: readonly Verb[];
}

/** All verbs, in the order in which new users need them. */
export function verbGroups(context: Context): readonly VerbGroup[] {
  return [
    {
      title: "Projects",
      verbs: [newCommand(context), updateCommand(context), migrateCommand(context), compileCommand(context)],
    },
    {
      title: "Running servers",
      verbs: [
        inspectCommand(context),
        bindCommand(context),
        installCommand(context),
        bundleCommand(context),
        manifestCommand(context),
        devCommand(context),
        gatewayCommand(context),
        gatewayLockCommand(context),
        validateCommand(context),
        doctorCommand(context),
        loginCommand(context),
        logoutCommand(context),
      ],
    },
    {
      title: "The protocol",
      verbs: [
        revisionsCommand(context),
        explainCommand(context),
        diffCommand(context),
        generateCommand(context),
        vendorCommand(context),
        outdatedCommand(context),
        modelCommand(context),
        compareSchemaCommand(context),
      ],
    },
    { title: "Your shell", verbs: [completionCommand(context)] },
  ];
}
