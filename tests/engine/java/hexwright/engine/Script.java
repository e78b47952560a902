package hexwright.engine;

import VASSAL.build.AbstractToolbarItem;
import VASSAL.build.module.Map;
import VASSAL.build.module.PlayerRoster;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyCommand;
import VASSAL.tools.NamedKeyStroke;
import java.awt.Point;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The script language: one command per line, words separated by blanks or in double quotes. */
final class Script {
  private interface Verb {
    Object run(Script line) throws Exception;
  }

  private interface Deed {
    void run(Script line) throws Exception;
  }

  private static final java.util.Map<String, Verb> VERBS = new HashMap<>();
  /** Verbs after which the changes of the pieces are reported. */
  private static final Set<String> ACTIONS = new HashSet<>();
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
  private static final int BUTTON_MS = 200;

  static {
    games();
    looks();
    pictures();
    actions();
  }

  private final List<String> words;

  private Script(List<String> words) {
    this.words = words;
  }

  /** Runs one line; blank lines and comments do nothing. */
  static void run(int number, String line) throws Exception {
    final List<String> words = new ArrayList<>();
    final Matcher m = WORD.matcher(line);
    while (m.find()) {
      words.add(m.group(1) != null ? m.group(1) : m.group(2));
    }
    if (words.isEmpty() || words.get(0).startsWith("#")) {
      return;
    }
    Report.startLine(number, line);
    Watch.forgetWarnings();
    final Verb verb = VERBS.get(words.get(0));
    if (verb == null) {
      throw new IllegalArgumentException("unknown command " + words.get(0));
    }
    final boolean action = ACTIONS.contains(words.get(0));
    final var before = action ? Edt.call(Table::snapshot) : null;
    final Object data = verb.run(new Script(words));
    Edt.drain();
    Watch.newChat();
    final Object changes = action ? Table.changes(before, Edt.call(Table::snapshot)) : null;
    Report.say("result", "command", words.get(0), "data", data, "changes", changes);
  }

  /** The lines of a script file, or of standard input for {@code -}. */
  static BufferedReader open(String name) throws IOException {
    return name.equals("-")
      ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
      : Files.newBufferedReader(Path.of(name));
  }

  // ------------------------------------------------------------------------------- the words

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

  private GamePiece piece() {
    return Table.piece(word(1));
  }

  private Table.Place place(int i) {
    return Table.place(word(i));
  }

  private Map map() {
    return Table.map(word(1));
  }

  private String choice(int i, String... choices) {
    if (!Arrays.asList(choices).contains(word(i))) {
      throw new IllegalArgumentException("one of " + Arrays.toString(choices) + ", not " + word(i));
    }
    return word(i);
  }

  // ------------------------------------------------------------------------------- the verbs

  private static void verb(String name, Verb verb) {
    VERBS.put(name, verb);
  }

  /** A verb without an answer that finds its own way to the event thread. */
  private static void order(String name, Deed deed) {
    verb(name, line -> {
      deed.run(line);
      return null;
    });
  }

  /** A verb that only looks, on the event thread. */
  private static void look(String name, Verb verb) {
    verb(name, line -> Edt.call(() -> verb.run(line)));
  }

  /** A verb of a player, on the event thread; its changes are reported. */
  private static void action(String name, Deed deed) {
    ACTIONS.add(name);
    order(name, line -> Edt.run(() -> deed.run(line)));
  }

  /** The same for what VASSAL does a moment later. */
  private static void slowAction(String name, Deed deed) {
    ACTIONS.add(name);
    order(name, line -> {
      Edt.run(() -> deed.run(line));
      Thread.sleep(BUTTON_MS);
    });
  }

  private static void games() {
    order("newgame", line -> Games.start(line.word(1, null)));
    look("setups", line -> Games.setups());
    order("setup", line -> Games.setup(line.word(1)));
    verb("load", line -> Games.load(line.file(1)));
    order("save", line -> Games.save(line.file(1)));
    verb("saveload", line -> SaveLoad.run(line.file(1)));
    order("beginlog", line -> Games.beginLog(line.file(1)));
    order("endlog", line -> Games.endLog());
    verb("step", line -> steps(Integer.parseInt(line.word(1, "1"))));
    verb("stepall", line -> steps(Integer.MAX_VALUE));
    verb("text", line -> Games.text(line.file(1)));
    look("dump", line -> {
      final List<String> lines = new ArrayList<>();
      Strict.tree(Table.module().decode(Games.text(line.file(1))), 0, lines);
      return lines;
    });
  }

  private static Object steps(int most) throws Exception {
    int done = 0;
    while (done < most && Games.step()) {
      ++done;
    }
    return Json.of("done", done, "left", Games.input().size() - Games.nextStep());
  }

  private static void looks() {
    look("audit", line -> Audit.run());
    look("pieces", line -> line.pieces());
    look("state", line -> states());
    look("expect", line -> line.expect());
    look("expectcount", line -> line.expectCount());
    look("maps", line -> maps());
    look("inventory", line -> Hands.inventory());
    look("showing", line -> line.map().getView().isShowing());
    look("loc", line -> line.location());
    look("hexnames", line -> Locations.names(line.map(), line.file(2).toPath()));
    look("hexpoints", line -> Locations.points(line.map(), line.file(2).toPath()));
    look("menu", line -> menu(line.piece()));
    look("prop", line -> string(Table.module().getProperty(line.word(1))));
    look("pprop", line -> string(line.piece().getProperty(line.word(2))));
    look("players", line -> Json.of("players", Hands.players(), "me", PlayerRoster.getMySide()));
    look("turntext", line -> Hands.turnText(line.word(1, null)));
    verb("runmenus", line -> {
      final int deepest = Integer.parseInt(line.word(2, String.valueOf(Menus.DEEPEST)));
      return Menus.run(Edt.call(() -> line.place(1)), deepest);
    });
  }

  private static void pictures() {
    verb("shot", line -> Pictures.screen(line.file(1)));
    verb("windowshot", line -> Pictures.window(line.file(1)));
    verb("mapshot", line -> {
      final double zoom = Double.parseDouble(line.word(3, "1"));
      return Pictures.map(line.map(), line.file(2), zoom);
    });
    order("lookat", line -> Edt.run(() -> Mouse.lookAt(line.place(1))));
    order("zoom", line -> Edt.run(() -> Mouse.zoom(line.map(), Double.parseDouble(line.word(2)))));
    verb("screenpos", line -> {
      final Point p = Mouse.screen(line.word(1));
      return Json.of("x", p.x, "y", p.y);
    });
  }

  private static void actions() {
    action("move", line -> Hands.drop(List.of(line.piece()), line.place(2)));
    action("movestack", line -> Hands.dropStack(line.piece(), line.place(2)));
    action("place", line -> {
      final GamePiece piece = Hands.take(Hands.slot(line.word(1)));
      Hands.drop(List.of(piece), line.place(2));
    });
    action("draw", line -> Hands.draw(Table.deck(line.word(1)), line.place(2)));
    action("key", line -> Hands.key(List.of(line.piece()), Hands.stroke(line.word(2))));
    action("command", line -> Hands.choose(line.piece(), line.word(2)));
    action("named", line -> {
      final NamedKeyStroke stroke = NamedKeyStroke.of(line.word(2));
      Hands.key(List.of(line.piece()), stroke.getKeyStroke());
    });
    action("deckkey", line -> {
      final var command = Table.deck(line.word(1)).keyEvent(Hands.stroke(line.word(2)));
      Table.module().sendAndLog(command);
    });
    verb("deckmenus", line -> Edt.call(Hands::deckMenus));
    ACTIONS.add("deckmenus");
    action("dice", line -> Hands.roll(line.word(1)));
    action("undo", line -> Hands.undo());
    slowAction("hotkey", line -> Table.module().fireKeyStroke(NamedKeyStroke.of(line.word(1))));
    slowAction("press", line -> Hands.press(AbstractToolbarItem.class, line.word(1)));
    look("turn", line -> {
      Hands.turn(line.word(2, null), line.choice(1, "next", "prev").equals("next"));
      return Hands.turnText(line.word(2, null));
    });
    look("chat", line -> {
      Hands.chat(line.word(1));
      return null;
    });
    verb("refresh", line -> {
      final boolean test = line.choice(1, "test", "real").equals("test");
      return Edt.call(() -> Refresh.run(test));
    });
    ACTIONS.add("refresh");
    order("join", line -> Edt.run(() -> Hands.join(line.word(1))));
    order("seed", line -> Edt.run(() -> Hands.seed(Long.parseLong(line.word(1)))));
    ACTIONS.addAll(List.of("mousedrag", "mouseclick", "type"));
    order("mousedrag", line -> Mouse.drag(line.word(1), line.word(2)));
    order("mouseclick", line -> Mouse.click(line.word(1)));
    order("type", line -> Mouse.type(Hands.stroke(line.word(1))));
    order("answer", line -> Watch.dialogAnswer = line.choice(1, "yes", "no", "close", "default"));
    order("sleep", line -> Thread.sleep(Long.parseLong(line.word(1))));
  }

  // ----------------------------------------------------------------------------- the answers

  private List<Object> pieces() {
    final List<Object> list = new ArrayList<>();
    final List<String> wanted = words.size() > 1 ? List.of(word(1).split(",")) : List.of();
    Table.pieces().forEach(p -> list.add(Table.describe(p, wanted)));
    return list;
  }

  private static List<Object> states() {
    final List<Object> list = new ArrayList<>();
    for (GamePiece p : Table.pieces()) {
      list.add(Json.of("id", p.getId(), "type", p.getType(), "state", p.getState()));
    }
    return list;
  }

  private Object expect() {
    final GamePiece p = piece();
    final Object found = Table.describe(p, List.of());
    final boolean named = words.size() <= 3 || p.getName().equals(word(3));
    if (!named || !word(2).equals(Table.location(p))) {
      Report.problem("expect", "expected " + words + ", found " + Json.write(found));
    }
    return found;
  }

  private Object expectCount() {
    final int n = Table.pieces().size();
    if (n != Integer.parseInt(word(1))) {
      Report.problem("expect", "expected " + word(1) + " pieces, found " + n);
    }
    return n;
  }

  private static List<Object> maps() {
    final List<Object> list = new ArrayList<>();
    for (Map m : Map.getMapList()) {
      list.add(Json.of("name", m.getMapName(), "id", m.getIdentifier(),
        "width", m.mapSize().width, "height", m.mapSize().height));
    }
    return list;
  }

  private Object location() {
    final Table.Place p = place(1);
    return Json.of("map", p.map.getMapName(), "x", p.point.x, "y", p.point.y,
      "name", p.map.locationName(p.point));
  }

  private static List<Object> menu(GamePiece piece) {
    final List<Object> list = new ArrayList<>();
    for (KeyCommand c : Hands.menu(piece)) {
      final String key = String.valueOf(c.getKeyStroke());
      list.add(Json.of("name", c.getName(), "key", key, "enabled", c.isEnabled()));
    }
    return list;
  }

  private static String string(Object value) {
    return value == null ? null : value.toString();
  }
}
