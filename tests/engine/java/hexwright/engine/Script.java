package hexwright.engine;

import VASSAL.build.AbstractToolbarItem;
import VASSAL.build.module.Map;
import VASSAL.build.module.PlayerRoster;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyCommand;
import VASSAL.tools.NamedKeyStroke;
import java.awt.Point;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The script language: one command per line, words separated by blanks or in double quotes. */
final class Script {
  /** Commands after which the changes of the pieces are reported. */
  private static final Set<String> ACTIONS = Set.of("move", "movestack", "place", "draw", "key", "command",
    "named", "dice", "hotkey", "press", "undo", "deckkey", "mousedrag", "mouseclick", "type");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
  private static final int BUTTON_MS = 200;

  private final List<String> words;

  private Script(List<String> words) {
    this.words = words;
  }

  /** Runs one line; false when it is blank or a comment. */
  static boolean run(int number, String line) throws Exception {
    final List<String> words = new ArrayList<>();
    final Matcher m = WORD.matcher(line);
    while (m.find()) {
      words.add(m.group(1) != null ? m.group(1) : m.group(2));
    }
    if (words.isEmpty() || words.get(0).startsWith("#")) {
      return false;
    }
    Report.startLine(number, line);
    final boolean action = ACTIONS.contains(words.get(0));
    final var before = action ? Edt.call(Table::snapshot) : null;
    final Object data = new Script(words).execute();
    Edt.drain();
    Watch.newChat();
    final Object changes = action ? Table.changes(before, Edt.call(Table::snapshot)) : null;
    Report.say("result", "command", words.get(0), "data", data, "changes", changes);
    return true;
  }

  private String word(int i) {
    if (i >= words.size()) {
      throw new IllegalArgumentException("word " + i + " missing after " + words);
    }
    return words.get(i);
  }

  private String word(int i, String otherwise) {
    return i < words.size() ? words.get(i) : otherwise;
  }

  private File file(int i) {
    return new File(word(i)).getAbsoluteFile();
  }

  private Object execute() throws Exception {
    switch (word(0)) {
    case "newgame": Games.start(word(1, null)); return null;
    case "setups": return Edt.call(Games::setups);
    case "setup": Games.setup(word(1)); return null;
    case "load": return Games.load(file(1));
    case "save": Games.save(file(1)); return null;
    case "saveload": return SaveLoad.run(file(1));
    case "beginlog": Games.beginLog(file(1)); return null;
    case "endlog": Games.endLog(); return null;
    case "step": return steps(Integer.parseInt(word(1, "1")));
    case "stepall": return steps(Integer.MAX_VALUE);
    case "dump": return Edt.call(() -> {
      final List<String> lines = new ArrayList<>();
      Strict.tree(Table.module().decode(Games.text(file(1))), 0, lines);
      return lines; });
    case "text": return Games.text(file(1));
    default: return query();
    }
  }

  private static Object steps(int most) throws Exception {
    int done = 0;
    while (done < most && Games.step()) {
      ++done;
    }
    return Json.of("done", done, "left", Games.input().size() - Games.nextStep());
  }

  /** Commands that look. */
  private Object query() throws Exception {
    switch (word(0)) {
    case "audit": return Edt.call(Audit::run);
    case "pieces": return Edt.call(() -> {
      final List<Object> list = new ArrayList<>();
      final List<String> properties = words.size() > 1 ? Arrays.asList(word(1).split(",")) : List.of();
      Table.pieces().forEach(p -> list.add(Table.describe(p, properties)));
      return list; });
    case "state": return Edt.call(() -> {
      final List<Object> list = new ArrayList<>();
      Table.pieces().forEach(p -> list.add(Json.of("id", p.getId(), "type", p.getType(), "state", p.getState())));
      return list; });
    case "expect": return expect();
    case "expectcount": {
      final int n = Edt.call(Table::pieces).size();
      if (n != Integer.parseInt(word(1))) {
        Report.problem("expect", "expected " + word(1) + " pieces, found " + n);
      }
      return n; }
    case "maps": return Edt.call(() -> {
      final List<Object> list = new ArrayList<>();
      for (Map m : Map.getMapList()) {
        list.add(Json.of("name", m.getMapName(), "id", m.getIdentifier(), "width", m.mapSize().width, "height", m.mapSize().height));
      }
      return list; });
    case "loc": return Edt.call(() -> {
      final Table.Place p = Table.place(word(1));
      return Json.of("map", p.map.getMapName(), "x", p.point.x, "y", p.point.y, "name", p.map.locationName(p.point)); });
    case "hexnames": return Edt.call(() -> Locations.names(Table.map(word(1)), file(2).toPath()));
    case "hexpoints": return Edt.call(() -> Locations.points(Table.map(word(1)), file(2).toPath()));
    case "menu": return Edt.call(() -> {
      final List<Object> list = new ArrayList<>();
      for (KeyCommand c : Hands.menu(Table.piece(word(1)))) {
        list.add(Json.of("name", c.getName(), "key", String.valueOf(c.getKeyStroke()), "enabled", c.isEnabled()));
      }
      return list; });
    case "prop": return Edt.call(() -> string(Table.module().getProperty(word(1))));
    case "pprop": return Edt.call(() -> string(Table.piece(word(1)).getProperty(word(2))));
    case "players": return Edt.call(() -> Json.of("players", Hands.players(), "me", PlayerRoster.getMySide()));
    case "turntext": return Edt.call(() -> Hands.turnText(word(1, null)));
    case "screenpos": {
      final Point p = Mouse.screen(word(1));
      return Json.of("x", p.x, "y", p.y); }
    case "shot": return Pictures.screen(file(1));
    case "windowshot": return Pictures.window(file(1));
    case "mapshot": return Pictures.map(Table.map(word(1)), file(2), Double.parseDouble(word(3, "1")));
    default: return act();
    }
  }

  private static String string(Object value) {
    return value == null ? null : value.toString();
  }

  private Object expect() throws Exception {
    return Edt.call(() -> {
      final GamePiece p = Table.piece(word(1));
      if (!word(2).equals(Table.location(p)) || words.size() > 3 && !p.getName().equals(word(3))) {
        Report.problem("expect", "expected " + words + ", found " + Json.write(Table.describe(p, List.of())));
      }
      return Table.describe(p, List.of());
    });
  }

  /** Commands that play. */
  private Object act() throws Exception {
    switch (word(0)) {
    case "move": Edt.run(() -> Hands.drop(List.of(Table.piece(word(1))), Table.place(word(2)))); return null;
    case "movestack": Edt.run(() -> Hands.dropStack(Table.piece(word(1)), Table.place(word(2)))); return null;
    case "place": Edt.run(() -> Hands.drop(List.of(Hands.take(Hands.slot(word(1)))), Table.place(word(2)))); return null;
    case "draw": Edt.run(() -> Hands.draw(Table.deck(word(1)), Table.place(word(2)))); return null;
    case "key": Edt.run(() -> Hands.key(List.of(Table.piece(word(1))), Hands.stroke(word(2)))); return null;
    case "command": Edt.run(() -> Hands.choose(Table.piece(word(1)), word(2))); return null;
    case "named": Edt.run(() -> Hands.key(List.of(Table.piece(word(1))), NamedKeyStroke.of(word(2)).getKeyStroke())); return null;
    case "runmenus": {
      final Table.Place place = Edt.call(() -> Table.place(word(1)));
      return Menus.run(place); }
    case "dice": Edt.run(() -> Hands.roll(word(1))); return null;
    case "turn": Edt.run(() -> Hands.turn(word(2, null), direction(word(1)))); return Edt.call(() -> Hands.turnText(word(2, null)));
    case "hotkey": Edt.run(() -> Table.module().fireKeyStroke(NamedKeyStroke.of(word(1)))); Thread.sleep(BUTTON_MS); return null;
    case "press": Edt.run(() -> Hands.press(AbstractToolbarItem.class, word(1))); Thread.sleep(BUTTON_MS); return null;
    case "chat": Edt.run(() -> Hands.chat(word(1))); return null;
    case "undo": Edt.run(Hands::undo); return null;
    case "join": Edt.run(() -> Hands.join(word(1))); return null;
    case "deckkey": Edt.run(() -> Table.module().sendAndLog(Table.deck(word(1)).keyEvent(Hands.stroke(word(2))))); return null;
    case "seed": Edt.run(() -> Hands.seed(Long.parseLong(word(1)))); return null;
    case "mousedrag": Mouse.drag(word(1), word(2)); return null;
    case "mouseclick": Mouse.click(word(1)); return null;
    case "type": Mouse.type(Hands.stroke(word(1))); return null;
    case "answer": answer(word(1)); return null;
    case "sleep": Thread.sleep(Long.parseLong(word(1))); return null;
    default: throw new IllegalArgumentException("unknown command " + word(0));
    }
  }

  private static boolean direction(String text) {
    if (!text.equals("next") && !text.equals("prev")) {
      throw new IllegalArgumentException("turn next or turn prev, not " + text);
    }
    return text.equals("next");
  }

  private static void answer(String how) {
    if (!Set.of("yes", "no", "close", "default").contains(how)) {
      throw new IllegalArgumentException("answer yes, no, close or default, not " + how);
    }
    Watch.dialogAnswer = how;
  }

  /** All lines of a script file. */
  static List<String> read(String name) throws Exception {
    return java.nio.file.Files.readAllLines(Path.of(name));
  }
}
