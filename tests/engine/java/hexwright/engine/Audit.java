package hexwright.engine;

import VASSAL.build.AbstractBuildable;
import VASSAL.build.Buildable;
import VASSAL.build.Configurable;
import VASSAL.build.GameModule;
import VASSAL.build.module.Map;
import VASSAL.build.module.PrototypeDefinition;
import VASSAL.build.module.PrototypesContainer;
import VASSAL.build.module.map.DrawPile;
import VASSAL.build.module.map.SetupStack;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.build.widget.PieceSlot;
import VASSAL.counters.Decorator;
import VASSAL.counters.GamePiece;
import VASSAL.counters.PlaceMarker;
import VASSAL.search.ImageSearchTarget;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Everything VASSAL swallows without a word: the build file as written, held against what became of
 * it. Run it right after {@code newgame} or {@code setup}, while at-start pieces lie where they were
 * dealt.
 */
final class Audit {
  /** Attributes that name a file of the archive, by simple class name. */
  private static final java.util.Map<String, String> FILE_ATTRIBUTES = java.util.Map.of(
    "HelpFile", "fileName", "HtmlChart", "fileName", "PredefinedSetup", "file",
    "Tutorial", "logfile", "BrowserPDFFile", "pdfFile");

  private final java.util.Map<String, Collection<String>> imageUsers = new TreeMap<>();
  private final java.util.Map<String, List<String>> gpidUsers = new LinkedHashMap<>();

  private Audit() { }

  static java.util.Map<String, Object> run() throws Exception {
    final Audit audit = new Audit();
    final Element root = audit.buildFile();
    final java.util.Map<String, Object> result = Json.of(
      "module", Table.module().getGameName(), "version", Table.module().getGameVersion(),
      "components", audit.components(root),
      "prototypes", audit.prototypes(root),
      "slots", audit.slots(),
      "setupStacks", audit.setupStacks());
    result.put("gpids", audit.gpids(root));
    result.put("images", audit.images());
    result.put("files", audit.files());
    result.put("maps", audit.maps());
    return result;
  }

  private static void problem(String text) {
    Report.problem("audit", text);
  }

  private Element buildFile() throws Exception {
    final boolean modern = Table.module().getDataArchive().contains("buildFile.xml");
    final String name = modern ? "buildFile.xml" : "buildFile";
    try (InputStream in = Table.module().getDataArchive().getInputStream(name)) {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in).getDocumentElement();
    }
  }

  /** How many components of each class the file declares, and how many are alive. */
  private java.util.Map<String, Object> components(Element root) {
    final java.util.Map<String, Integer> declared = new TreeMap<>();
    final java.util.Map<String, Integer> alive = new TreeMap<>();
    countDeclared(root, declared);
    countAlive(Table.module(), alive);
    final java.util.Map<String, Object> table = new TreeMap<>();
    declared.forEach((kind, n) -> {
      final int living = alive.getOrDefault(kind, 0);
      table.put(kind, Json.of("declared", n, "alive", living));
      if (living < n) {
        problem("component dropped: " + n + " of " + kind + " declared, " + living + " alive");
      }
    });
    return table;
  }

  private static void countDeclared(Element parent, java.util.Map<String, Integer> counts) {
    for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      // Elements without a package (entry, option, setup) are data of their parent.
      if (child instanceof Element && child.getNodeName().contains(".")) {
        counts.merge(child.getNodeName(), 1, Integer::sum);
        countDeclared((Element) child, counts);
      }
    }
  }

  private static void countAlive(AbstractBuildable parent, java.util.Map<String, Integer> counts) {
    for (Buildable child : parent.getBuildables()) {
      counts.merge(child.getClass().getName(), 1, Integer::sum);
      if (child instanceof AbstractBuildable) {
        countAlive((AbstractBuildable) child, counts);
      }
    }
  }

  private java.util.Map<String, Object> prototypes(Element root) {
    final java.util.Map<String, Object> table = new LinkedHashMap<>();
    final Set<String> seen = new TreeSet<>();
    final var elements = root.getElementsByTagName(PrototypeDefinition.class.getName());
    for (int i = 0; i < elements.getLength(); ++i) {
      final Element element = (Element) elements.item(i);
      final String name = element.getAttribute("name");
      if (!seen.add(name)) {
        problem("prototype defined twice: " + name);
      }
      table.put(name, checkPrototypes("prototype '" + name + "'", element.getTextContent().trim()));
    }
    for (PrototypeDefinition d : Table.components(PrototypeDefinition.class)) {
      final String user = "prototype '" + d.getConfigureName() + "'";
      addImages(d, user);
      addGpids(d.getPiece(), user);
    }
    return table;
  }

  private static List<Object> checkPrototypes(String user, String definition) {
    final List<Object> used = new ArrayList<>();
    for (String name : Traits.prototypes(definition)) {
      // A name may be computed from properties of the piece; then only VASSAL knows it at run time.
      final boolean computed = name.contains("$");
      final boolean defined = PrototypesContainer.getPrototype(name) != null;
      used.add(Json.of("name", name, "defined", defined, "computed", computed));
      if (!defined && !computed) {
        problem("unknown prototype '" + name + "' in " + user);
      }
    }
    return used;
  }

  private List<Object> slots() throws ReflectiveOperationException {
    final List<Object> list = new ArrayList<>();
    for (PieceSlot slot : Table.components(PieceSlot.class)) {
      final String user = "slot '" + slot.getConfigureName() + "' (gpid " + slot.getGpId() + ")";
      final String definition = slot.getPieceDefinition();
      final GamePiece piece = slot.getPiece();
      if (piece == null) {
        problem("no piece in " + user);
      }
      gpidUsers.computeIfAbsent(String.valueOf(slot.getGpId()), k -> new ArrayList<>()).add(user);
      addGpids(piece, user);
      list.add(Json.of("gpid", slot.getGpId(), "name", slot.getConfigureName(),
        "kind", slot.getClass().getSimpleName(), "owner", owner(slot), "definition", definition,
        "prototypes", checkPrototypes(user, definition), "images", addImages(slot, user)));
    }
    return list;
  }

  /** Where a slot sits: class and name of the component around it. */
  private static String owner(PieceSlot slot) {
    final Buildable parent = slot.getAncestor();
    if (parent == null) {
      return null;
    }
    final String kind = parent.getClass().getSimpleName();
    return parent instanceof Configurable ? kind + ":" + ((Configurable) parent).getConfigureName() : kind;
  }

  /** Traits that create pieces carry a gpid of their own. */
  private void addGpids(GamePiece piece, String user) {
    for (GamePiece p = piece; p instanceof Decorator; p = ((Decorator) p).getInner()) {
      if (p instanceof PlaceMarker) {
        final String gpid = String.valueOf(((PlaceMarker) p).getGpId());
        final String where = p.getClass().getSimpleName() + " in " + user;
        gpidUsers.computeIfAbsent(gpid, k -> new ArrayList<>()).add(where);
      }
    }
  }

  private Collection<String> addImages(ImageSearchTarget target, String user) {
    final Collection<String> names = new TreeSet<>();
    target.addImageNamesRecursively(names);
    names.removeIf(name -> name == null || name.isBlank());
    names.forEach(name -> imageUsers.computeIfAbsent(name, k -> new TreeSet<>()).add(user));
    return names;
  }

  private java.util.Map<String, Object> images() {
    addOwnImages(Table.module());
    final java.util.Map<String, Object> missing = new TreeMap<>();
    imageUsers.forEach((name, users) -> {
      if (!holds(name.startsWith("/") ? name : "images/" + name)) {
        missing.put(name, users);
        problem("image not in the archive: " + name + ", used by " + users);
      }
    });
    return Json.of("used", imageUsers.keySet(), "missing", missing);
  }

  /** Boards, buttons, charts and the like; slots and prototypes have been asked already. */
  private void addOwnImages(AbstractBuildable parent) {
    for (Buildable child : parent.getBuildables()) {
      if (!(child instanceof AbstractBuildable) || child instanceof PieceSlot
          || child instanceof PrototypeDefinition) {
        continue;
      }
      final AbstractBuildable component = (AbstractBuildable) child;
      final Collection<String> names = new TreeSet<>();
      component.addLocalImageNames(names);
      for (String name : names) {
        if (name != null && !name.isBlank()) {
          final String user = component.getClass().getSimpleName();
          imageUsers.computeIfAbsent(name, k -> new TreeSet<>()).add(user);
        }
      }
      addOwnImages(component);
    }
  }

  private static boolean holds(String entry) {
    try (InputStream in = Table.module().getDataArchive().getInputStream(entry)) {
      return in != null;
    }
    catch (IOException e) {
      return false;
    }
  }

  private List<Object> files() {
    final List<Object> list = new ArrayList<>();
    for (AbstractBuildable component : Table.components(AbstractBuildable.class)) {
      final String kind = component.getClass().getSimpleName();
      final String attribute = FILE_ATTRIBUTES.get(kind);
      final String name = attribute == null ? null : component.getAttributeValueString(attribute);
      if (name == null || name.isEmpty()
          || "resource".equals(component.getAttributeValueString("fileType"))) {
        continue;
      }
      final boolean held = holds(name);
      list.add(Json.of("kind", kind, "file", name, "held", held));
      if (!held) {
        problem("file not in the archive: " + name + ", used by " + kind);
      }
    }
    return list;
  }

  /** At-start stacks: what was asked for and where the pieces came to lie. */
  private List<Object> setupStacks() {
    final List<Object> list = new ArrayList<>();
    for (SetupStack stack : Table.components(SetupStack.class)) {
      final String board = stack.getAttributeValueString(SetupStack.OWNING_BOARD);
      final boolean byName =
        "true".equals(stack.getAttributeValueString(SetupStack.USE_GRID_LOCATION));
      final String location = stack.getAttributeValueString(SetupStack.LOCATION);
      final List<PieceSlot> slots = Table.components(stack, PieceSlot.class);
      final String name = stack.getConfigureName();
      final boolean deck = stack instanceof DrawPile;
      if (slots.isEmpty() && !deck) {
        problem("at-start stack '" + name + "' holds no piece");
      }
      final List<Object> pieces = new ArrayList<>();
      for (PieceSlot slot : slots) {
        final List<Object> found = new ArrayList<>();
        for (GamePiece p : Table.pieces()) {
          if (Table.gpid(p).equals(slot.getGpId())) {
            found.add(Table.describe(p, List.of()));
          }
        }
        pieces.add(Json.of("gpid", slot.getGpId(), "name", slot.getConfigureName(), "dealt", found));
        if (Table.state().isGameStarted()) {
          final String what = "piece '" + slot.getConfigureName() + "' of at-start stack '" + name + "'";
          checkDealt(what, slot, stack, byName && !deck ? location : null);
        }
      }
      list.add(Json.of("name", name,
        "map", stack.getMap() == null ? null : stack.getMap().getMapName(),
        "board", board, "deck", deck, "useGridLocation", byName, "location", location,
        "x", stack.getAttributeValueString(SetupStack.X_POSITION),
        "y", stack.getAttributeValueString(SetupStack.Y_POSITION),
        "pieces", pieces));
    }
    return list;
  }

  private static void checkDealt(String what, PieceSlot slot, SetupStack stack, String location) {
    boolean any = false;
    for (GamePiece p : Table.pieces()) {
      if (!Table.gpid(p).equals(slot.getGpId())) {
        continue;
      }
      any = true;
      if (p.getMap() != stack.getMap()) {
        problem(what + " lies on " + (p.getMap() == null ? "no map" : p.getMap().getMapName()));
      }
      else if (location != null && !location.equals(Table.location(p))) {
        problem(what + " lies at '" + Table.location(p) + "', not at '" + location + "'");
      }
    }
    if (!any) {
      problem(what + " is not in play");
    }
  }

  private java.util.Map<String, Object> gpids(Element root) {
    final List<String> duplicates = new ArrayList<>();
    int highest = -1;
    for (var entry : gpidUsers.entrySet()) {
      final String gpid = entry.getKey();
      if (!gpid.matches("\\d+")) {
        problem("gpid is not a number: '" + gpid + "' of " + entry.getValue());
        continue;
      }
      highest = Math.max(highest, Integer.parseInt(gpid));
      if (entry.getValue().size() > 1) {
        duplicates.add(gpid);
        problem("gpid " + gpid + " used by " + entry.getValue());
      }
    }
    final String next = root.getAttribute("nextPieceSlotId");
    if (!next.matches("\\d+") || Integer.parseInt(next) <= highest) {
      problem("nextPieceSlotId is '" + next + "', but the highest gpid is " + highest);
    }
    return Json.of("next", next, "highest", highest,
      "count", gpidUsers.size(), "duplicates", duplicates);
  }

  /** Maps and what they hold; names are identities, so each must be given once. */
  private List<Object> maps() {
    final List<Object> list = new ArrayList<>();
    final Set<String> mapNames = new TreeSet<>();
    final Set<String> deckNames = new TreeSet<>();
    for (Map map : Map.getMapList()) {
      final String name = map.getMapName();
      if (name == null || name.isEmpty() || !mapNames.add(name)) {
        problem("map name empty or given twice: '" + name + "'");
      }
      final Set<String> boardNames = new TreeSet<>();
      for (Board board : Table.components(map, Board.class)) {
        if (!boardNames.add(board.getName())) {
          problem("board name given twice on map '" + name + "': " + board.getName());
        }
      }
      final List<String> decks = new ArrayList<>();
      for (DrawPile deck : map.getComponentsOf(DrawPile.class)) {
        decks.add(deck.getConfigureName());
        if (!deckNames.add(deck.getConfigureName())) {
          problem("deck name given twice: " + deck.getConfigureName());
        }
      }
      final List<Object> inPlay = new ArrayList<>();
      for (Board board : map.getBoards()) {
        inPlay.add(Json.of("name", board.getName(), "x", board.bounds().x, "y", board.bounds().y,
          "width", board.bounds().width, "height", board.bounds().height));
      }
      list.add(Json.of("name", name, "id", map.getIdentifier(), "width", map.mapSize().width,
        "height", map.mapSize().height, "boards", boardNames, "inPlay", inPlay, "decks", decks));
    }
    return list;
  }
}
