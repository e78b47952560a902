package hexwright.engine;

import VASSAL.Info;
import VASSAL.build.GameModule;
import VASSAL.build.module.GameSetupStep;
import VASSAL.build.module.WizardSupport;
import VASSAL.i18n.Localization;
import VASSAL.launch.Player;
import VASSAL.launch.StandardConfig;
import VASSAL.preferences.Prefs;
import VASSAL.tools.DataArchive;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;

/**
 * Opens a module in the real VASSAL player, in this process, and runs a script on it.
 *
 * <p>{@code Main MODULE.vmod SCRIPT}, or {@code -} for a script on standard input; the player is
 * named by the properties {@code hexwright.user} and {@code hexwright.password}. Exit code: 0 = no problem, 3 = VASSAL or a check found a problem,
 * 2 = the script is wrong, 1 = VASSAL refused the module.
 */
public final class Main extends Player {
  private static final int OK = 0;
  private static final int REFUSED = 1;
  private static final int SCRIPT_ERROR = 2;
  private static final int PROBLEMS = 3;
  private static final String USER = System.getProperty("hexwright.user", "Tester");
  private static final String PASSWORD = System.getProperty("hexwright.password", "pw-tester");
  /** Questions and windows that would stand in the way of a script. */
  private static final String[] PREFERENCES_OFF = {
    "PromptNewLogAtStart", "PromptNewLogEnd", "promptLogComment", "showTips", "mainWindowRemember",
  };

  private static File module;
  private static boolean refused;

  private Main(String[] arguments) {
    super(arguments);
  }

  /** What VASSAL's Player does when it opens a module, minus splash screen and wizard. */
  @Override protected void launch() throws IOException {
    try {
      GameModule.init(new GameModule(new DataArchive(module.getPath())));
      createExtensionsLoader().addTo(GameModule.getGameModule());
      Localization.getInstance().translate();
      final GameModule opened = GameModule.getGameModule();
      set(opened.getPrefs(), "RealName", USER);
      set(opened.getPrefs(), "SecretName", PASSWORD);
      GameModule.setUserId(PASSWORD);
      for (String name : PREFERENCES_OFF) {
        set(opened.getPrefs(), name, Boolean.FALSE);
      }
      replaceWizard(opened);
      opened.getPlayerWindow().setVisible(true);
    }
    catch (Throwable t) {
      refused = true;
      Report.problem("refused", Report.trace(t));
    }
  }

  private static void set(Prefs preferences, String name, Object value) {
    if (preferences.getOption(name) != null) {
      preferences.setValue(name, value);
    }
  }

  /** The game-setup wizard would wait for a player; note what it would have asked instead. */
  private static void replaceWizard(GameModule opened) throws ReflectiveOperationException {
    final WizardSupport silent = new WizardSupport() {
      @Override public void showGameSetupWizard() {
        final Iterator<GameSetupStep> steps = opened.getGameState().getUnfinishedSetupSteps();
        while (steps.hasNext()) {
          Report.say("note", "text", "the wizard would ask: " + steps.next().getStepTitle());
        }
      }
    };
    final var field = Inside.field(GameModule.class, "wizardSupport");
    final Object old = field.get(opened);
    if (old != null) {
      final var setups = Inside.field(WizardSupport.class, "setups");
      setups.set(silent, setups.get(old));
    }
    field.set(opened, silent);
  }

  /** Runs the lines as they come: a script may be written while it is played. */
  private static int runScript(BufferedReader lines) throws IOException {
    int number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      ++number;
      try {
        Script.run(number, line.trim());
      }
      catch (Throwable t) {
        final Throwable cause = Report.cause(t);
        Report.say("error", "text", String.valueOf(cause), "trace", Report.trace(cause));
        return SCRIPT_ERROR;
      }
    }
    return OK;
  }

  private static int open(String[] arguments) throws Exception {
    module = new File(arguments[0]);
    Info.setConfig(new StandardConfig() {
      // VASSAL starts a second JVM (the module manager) after each save: not here.
      @Override public Path getJavaBinPath() {
        return Path.of("/bin/true");
      }
    });
    final long start = System.currentTimeMillis();
    Watch.install();
    new Main(new String[] {"--load", module.getPath()});
    if (refused || GameModule.getGameModule() == null) {
      return REFUSED;
    }
    Report.say("ready", "vassal", Info.getVersion(), "java", System.getProperty("java.version"),
      "module", Table.module().getGameName(), "version", Table.module().getGameVersion(),
      "ms", System.currentTimeMillis() - start);
    Watch.newChat();
    final int code;
    try (BufferedReader lines = Script.open(arguments[1])) {
      code = runScript(lines);
    }
    return code == OK && Report.problems() > 0 ? PROBLEMS : code;
  }

  /** See the class comment. */
  public static void main(String[] arguments) {
    System.setOut(System.err);
    int code = SCRIPT_ERROR;
    try {
      if (arguments.length == 2) {
        code = open(arguments);
      }
      else {
        Report.say("error", "text", "usage: Main MODULE.vmod SCRIPT");
      }
    }
    catch (Throwable t) {
      Report.say("error", "text", String.valueOf(t), "trace", Report.trace(t));
    }
    Report.say("end", "code", code, "problems", Report.problems());
    // VASSAL's own threads would keep the JVM alive.
    Runtime.getRuntime().halt(code);
  }
}
