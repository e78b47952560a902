package hexwright.engine;

import VASSAL.build.AbstractToolbarItem;
import VASSAL.build.GameModule;
import VASSAL.build.module.DiceButton;
import VASSAL.build.module.GlobalOptions;
import VASSAL.build.module.Inventory;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.SpecialDiceButton;
import VASSAL.build.module.map.PieceMover;
import VASSAL.build.module.turn.TurnTracker;
import VASSAL.build.widget.PieceSlot;
import VASSAL.command.Command;
import VASSAL.counters.Deck;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyBuffer;
import VASSAL.counters.KeyCommand;
import VASSAL.counters.PieceCloner;
import VASSAL.counters.PieceIterator;
import VASSAL.counters.Properties;
import java.awt.Point;
import java.awt.event.ActionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.swing.AbstractButton;
import javax.swing.Action;
import javax.swing.KeyStroke;
import javax.swing.tree.TreeModel;

/** What a player does with the mouse and the keyboard, through the code that VASSAL runs then. */
final class Hands {
  private Hands() { }

  /** Drops pieces at a place, as the end of a mouse drag does (snapping, stacking, reports). */
  static void drop(List<GamePiece> pieces, Table.Place place) throws Exception {
    final PieceMover mover = place.map.getComponentsOf(PieceMover.class).iterator().next();
    DragBuffer.getBuffer().clear();
    KeyBuffer.getBuffer().clear();
    pieces.forEach(DragBuffer.getBuffer()::add);
    Inside.method(PieceMover.class, "performDrop", Point.class).invoke(mover, place.point);
    DragBuffer.getBuffer().clear();
  }

  /** Moves the whole stack that a piece is in. */
  static void dropStack(GamePiece piece, Table.Place place) throws Exception {
    drop(piece.getParent() == null ? List.of(piece) : new ArrayList<>(piece.getParent().asList()), place);
  }

  /** A new piece, as dragged out of a palette: prototypes expanded, gpid of its slot. */
  static GamePiece take(PieceSlot slot) {
    final GamePiece piece = PieceCloner.getInstance().clonePiece(slot.getPiece());
    piece.setProperty(Properties.PIECE_ID, slot.getGpId());
    return piece;
  }

  static PieceSlot slot(String nameOrGpid) {
    for (PieceSlot s : Table.components(PieceSlot.class)) {
      if (nameOrGpid.equals(s.getGpId()) || nameOrGpid.equals(s.getPiece().getName())) {
        return s;
      }
    }
    throw new IllegalArgumentException("no piece slot " + nameOrGpid);
  }

  static void draw(Deck deck, Table.Place place) throws Exception {
    final List<GamePiece> cards = new ArrayList<>();
    for (PieceIterator it = deck.drawCards(); it.hasMoreElements();) {
      final GamePiece card = it.nextPiece();
      card.setProperty(Properties.OBSCURED_BY, card.getProperty(Properties.OBSCURED_BY_PRE_DRAW));
      cards.add(card);
    }
    drop(cards, place);
  }

  /** The lines that the module's inventory windows list for this player. */
  static List<String> inventory() throws Exception {
    final List<String> lines = new ArrayList<>();
    for (Inventory inventory : Table.components(Inventory.class)) {
      Inside.call(inventory, "buildTreeModel");
      final TreeModel tree = (TreeModel) Inside.get(inventory, "results");
      addLines(tree, tree.getRoot(), lines);
    }
    return lines;
  }

  private static void addLines(TreeModel tree, Object node, List<String> lines) {
    lines.add(String.valueOf(node));
    for (int i = 0; i < tree.getChildCount(node); ++i) {
      addLines(tree, tree.getChild(node, i), lines);
    }
  }

  /** Chooses every entry of every deck's own menu; answers the entries by deck. */
  static java.util.Map<String, Object> deckMenus() throws Exception {
    final java.util.Map<String, Object> chosen = new java.util.TreeMap<>();
    for (GamePiece p : new ArrayList<>(Table.state().getAllPieces())) {
      if (p instanceof Deck) {
        final List<String> names = new ArrayList<>();
        for (KeyCommand command : (KeyCommand[]) Inside.call(p, "getKeyCommands")) {
          names.add(command.getName());
          if (command.isEnabled()) {
            command.actionPerformed(new ActionEvent(p, ActionEvent.ACTION_PERFORMED, command.getName()));
          }
        }
        chosen.put(((Deck) p).getDeckName(), names);
      }
    }
    return chosen;
  }

  /** Applies a key to pieces, as a typed key does to the selected ones; returns the command. */
  static Command key(List<GamePiece> pieces, KeyStroke stroke) {
    final KeyBuffer selected = KeyBuffer.getBuffer();
    selected.clear();
    pieces.forEach(selected::add);
    final Command command = selected.keyCommand(stroke);
    Table.module().sendAndLog(command);
    selected.clear();
    return command;
  }

  static KeyStroke stroke(String text) {
    final KeyStroke stroke = KeyStroke.getKeyStroke(text);
    if (stroke == null) {
      throw new IllegalArgumentException("not a key stroke: " + text);
    }
    return stroke;
  }

  static KeyCommand[] menu(GamePiece piece) {
    return (KeyCommand[]) piece.getProperty(Properties.KEY_COMMANDS);
  }

  /** Chooses an entry of a piece's right-click menu. */
  static void choose(GamePiece piece, String entry) {
    for (KeyCommand command : menu(piece)) {
      if (entry.equals(command.getName())) {
        key(List.of(piece), command.getKeyStroke());
        return;
      }
    }
    throw new IllegalArgumentException("no menu entry " + entry + " on " + piece.getName());
  }

  /** Presses a toolbar button, found by the component's name. */
  static void press(Class<? extends AbstractToolbarItem> kind, String name) throws Exception {
    for (AbstractToolbarItem item : Table.components(kind)) {
      if (name.equals(item.getConfigureName())) {
        ((AbstractButton) Inside.call(item, "getLaunchButton")).doClick();
        return;
      }
    }
    throw new IllegalArgumentException("no button " + name);
  }

  static void roll(String name) throws Exception {
    for (DiceButton dice : Table.components(DiceButton.class)) {
      if (name.equals(dice.getConfigureName())) {
        press(DiceButton.class, name);
        return;
      }
    }
    press(SpecialDiceButton.class, name);
  }

  /** Makes dice and shuffles reproducible. */
  static void seed(long number) throws Exception {
    final Random random = new Random(number);
    Inside.field(GameModule.class, "RNG").set(Table.module(), random);
    for (DiceButton d : Table.components(DiceButton.class)) {
      Inside.field(DiceButton.class, "ran").set(d, random);
    }
    for (SpecialDiceButton d : Table.components(SpecialDiceButton.class)) {
      Inside.field(SpecialDiceButton.class, "ran").set(d, random);
    }
  }

  static TurnTracker tracker(String name) {
    for (TurnTracker t : Table.components(TurnTracker.class)) {
      if (name == null || name.equals(t.getConfigureName())) {
        return t;
      }
    }
    throw new IllegalArgumentException(name == null ? "no turn tracker" : "no turn tracker " + name);
  }

  /** Presses + or - of a turn tracker. */
  static void turn(String name, boolean forward) throws Exception {
    Inside.call(Inside.get(tracker(name), "turnWidget"), forward ? "doNext" : "doPrev");
  }

  static String turnText(String name) throws Exception {
    return (String) Inside.call(tracker(name), "getTurnString");
  }

  static void chat(String text) {
    Table.module().getChatter().send("<" + GlobalOptions.getInstance().getPlayerId() + "> - " + text);
  }

  static void undo() throws Exception {
    final Action action = (Action) Inside.get(Table.logger(), "undoAction");
    action.actionPerformed(new ActionEvent(Hands.class, 0, ""));
  }

  /** Takes a side in a running game: what the side wizard does at its end. */
  static void join(String side) {
    final PlayerRoster roster = Table.module().getPlayerRoster();
    final Command command = new PlayerRoster.Add(roster, GameModule.getActiveUserId(),
      GlobalOptions.getInstance().getPlayerId(), side);
    command.execute();
    Table.module().sendAndLog(command);
  }

  static List<Object> players() {
    final List<Object> list = new ArrayList<>();
    for (PlayerRoster.PlayerInfo p : Table.module().getPlayerRoster().getPlayers()) {
      list.add(Json.of("id", p.playerId, "name", p.playerName, "side", p.getSide()));
    }
    return list;
  }
}
