package hexwright.engine;

import VASSAL.build.GameModule;
import VASSAL.build.module.Map;
import VASSAL.command.Command;
import VASSAL.tools.SequenceEncoder;
import java.util.List;
import java.util.Set;

/** Finds what VASSAL drops without a word when it reads a save or plays a step of a log. */
final class Strict {
  private static final char ESC = 27;
  private static final String LOG_PREFIX = "LOG\t";

  private Strict() { }

  /** Reports texts in a save or log that no command encoder knows. */
  static void scan(String text) throws Exception {
    if (text == null || text.isEmpty() || text.equals("null")) {
      return;      // logs are full of LOG<TAB>null: not an error
    }
    final SequenceEncoder.Decoder tokens = new SequenceEncoder.Decoder(text, ESC);
    final String first = tokens.nextToken();
    if (!text.equals(first)) {
      scan(first);
      while (tokens.hasMoreTokens()) {
        scan(tokens.nextToken());
      }
    }
    else if (text.startsWith(LOG_PREFIX)) {
      scan(text.substring(LOG_PREFIX.length()));
    }
    else if (Inside.method(GameModule.class, "decodeSubCommand", String.class)
             .invoke(Table.module(), text) == null) {
      if (text.startsWith("MutableProperty\t")) {
        // This engine does not read back the properties its own dice buttons write.
        Report.say("note", "text", "not decodable here: " + Report.visible(text));
      }
      else {
        Report.problem("strict", "not a command: " + Report.visible(text));
      }
    }
  }

  /** Reports commands on pieces or maps that do not exist; {@code ids} is brought up to date. */
  static void step(Command command, Set<String> ids) throws Exception {
    if (command == null) {
      return;
    }
    final String text = encode(command);
    if (text != null && text.matches("(?s)[+DM-]/.*")) {
      final SequenceEncoder.Decoder fields = new SequenceEncoder.Decoder(text.substring(2), '/');
      final String id = fields.nextToken("");
      if (text.charAt(0) == '+') {
        ids.add(id);
      }
      else if (!ids.contains(id)) {
        Report.problem("strict", "unknown piece " + id + ": " + Report.visible(text));
      }
      if (text.charAt(0) == 'M') {
        final String map = fields.nextToken("");
        if (!"null".equals(map) && Map.getMapById(map) == null) {
          Report.problem("strict", "unknown map " + map + ": " + Report.visible(text));
        }
      }
      if (text.charAt(0) == '-') {
        ids.remove(id);
      }
    }
    for (Command sub : command.getSubCommands()) {
      step(sub, ids);
    }
  }

  /** The commands of a tree as indented lines: class and encoded text. */
  static void tree(Command command, int depth, List<String> lines) {
    if (command == null) {
      return;
    }
    final String text = encode(command);
    final String kind = command.getClass().getName().replaceFirst("^VASSAL\\.", "");
    final String shown = text == null ? "(not encodable)" : Report.visible(text);
    lines.add("  ".repeat(depth) + kind + "  " + shown);
    for (Command sub : command.getSubCommands()) {
      tree(sub, depth + 1, lines);
    }
  }

  /** One command as text, without its children; null when nothing encodes it. */
  static String encode(Command command) {
    try {
      return (String) Inside.method(GameModule.class, "encodeSubCommand", Command.class)
        .invoke(Table.module(), command);
    }
    catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
