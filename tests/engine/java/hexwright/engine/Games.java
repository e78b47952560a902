package hexwright.engine;

import VASSAL.build.AbstractBuildable;
import VASSAL.build.GameModule;
import VASSAL.build.module.BasicLogger;
import VASSAL.build.module.GameState;
import VASSAL.build.module.GlobalOptions;
import VASSAL.build.module.Map;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.PredefinedSetup;
import VASSAL.build.module.map.SetupStack;
import VASSAL.command.Command;
import VASSAL.counters.GamePiece;
import VASSAL.counters.Stack;
import VASSAL.tools.filechooser.FileChooser;
import VASSAL.tools.filechooser.FileFilter;
import VASSAL.tools.io.DeobfuscatingInputStream;
import java.awt.Component;
import java.awt.event.ActionEvent;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipFile;
import javax.swing.Action;

/** Starts, saves, loads and logs games, and steps through logs. */
final class Games {
  private static final int POLLS = 400;
  private static final int POLL_MS = 50;

  private Games() { }

  /** File > New Game, then taking a side (null = none) as the wizard would. */
  static void start(String side) throws Exception {
    Edt.run(() -> {
      forgetChanges();
      Table.module().setGameFileMode(GameModule.GameFileMode.NEW_GAME);
      Table.state().setup(false);
      if (side != null) {
        final PlayerRoster roster = Table.module().getPlayerRoster();
        if (roster == null || !roster.getSides().contains(side)) {
          final Object sides = roster == null ? "no roster" : roster.getSides();
          throw new IllegalArgumentException("no side " + side + " in " + sides);
        }
        roster.add(GameModule.getActiveUserId(), GlobalOptions.getInstance().getPlayerId(), side);
      }
      Table.state().setup(true);
      reportUnplaced();
      startupCommands();
    });
  }

  /** Avoids the question whether the running game should be saved first. */
  private static void forgetChanges() throws Exception {
    if (Table.state().isGameStarted()) {
      final Object text = Inside.call(Table.state(), "saveString");
      Inside.field(GameState.class, "lastSave").set(Table.state(), text);
    }
  }

  /** VASSAL leaves out an at-start stack without a word when its board is not in play. */
  private static void reportUnplaced() throws Exception {
    for (SetupStack stack : Table.components(SetupStack.class)) {
      final String board = stack.getAttributeValueString(SetupStack.OWNING_BOARD);
      final Map map = stack.getMap();
      if (board != null && !board.isEmpty() && (map == null || map.getBoardByName(board) == null)) {
        Report.problem("strict", "at-start stack '" + stack.getConfigureName()
          + "' not placed: no board '" + board + "'");
      }
    }
  }

  private static void startupCommands() throws ReflectiveOperationException {
    try {
      Inside.method(GameState.class, "freshenStartupGlobalKeyCommands", AbstractBuildable.class)
        .invoke(Table.state(), Table.module());
    }
    catch (IllegalArgumentException e) {
      return;      // not in 3.6
    }
  }

  static List<Object> setups() {
    final List<Object> list = new ArrayList<>();
    for (PredefinedSetup s : Table.components(PredefinedSetup.class)) {
      list.add(Json.of("name", s.getAttributeValueString(PredefinedSetup.NAME), "menu", s.isMenu(),
        "file", s.getAttributeValueString(PredefinedSetup.FILE)));
    }
    return list;
  }

  /** Starts a predefined setup of the module's File menu. */
  static void setup(String name) throws Exception {
    for (PredefinedSetup s : Table.components(PredefinedSetup.class)) {
      if (name.equals(s.getAttributeValueString(PredefinedSetup.NAME)) && !s.isMenu()) {
        Edt.run(() -> {
          forgetChanges();
          if (Table.state().isGameStarted()) {
            Table.state().setup(false);
          }
          s.launch();
        });
        for (int i = 0; i < POLLS && Table.state().isLoadingInBackground(); ++i) {
          Thread.sleep(POLL_MS);
        }
        Edt.drain();
        if (!Table.state().isGameStarted()) {
          Report.problem("strict", "setup '" + name + "' did not start a game");
        }
        return;
      }
    }
    throw new IllegalArgumentException("no setup " + name);
  }

  /** Opens a save or log, with VASSAL's check of its metadata, and what VASSAL drops unsaid. */
  static java.util.Map<String, Object> load(File file) throws Exception {
    final Object valid = Edt.call(() -> {
      if (Table.state().isGameStarted()) {
        forgetChanges();
        Table.state().setup(false);
      }
      final Object ok = Inside.method(GameState.class, "isSaveMetaDataValid", File.class)
        .invoke(Table.state(), file);
      Strict.scan(text(file));
      Table.state().loadGameInForeground(file);
      return ok;
    });
    if (!Table.state().isGameStarted()) {
      Report.problem("strict", "no game started from " + file);
    }
    Edt.run(Games::reportLost);
    return Json.of("metadata", valid, "started", Table.state().isGameStarted(),
      "steps", input().size());
  }

  private static void reportLost() {
    for (GamePiece p : Table.state().getAllPieces()) {
      final boolean empty = p instanceof Stack && ((Stack) p).getPieceCount() == 0;
      if (p.getMap() == null && !empty) {
        Report.problem("strict", "piece not on any map: " + p.getId() + " " + p.getName());
      }
    }
    for (Map m : Map.getMapList()) {
      if (m.getBoards().isEmpty()) {
        Report.problem("strict", "map without board: " + m.getMapName());
      }
    }
  }

  static void save(File file) throws Exception {
    Edt.run(() -> Table.state().saveGame(file));
  }

  /** The decoded text of a save or log. */
  static String text(File file) throws IOException {
    try (ZipFile zip = new ZipFile(file);
         InputStream raw = new BufferedInputStream(zip.getInputStream(zip.getEntry("savedGame")));
         InputStream in = new DeobfuscatingInputStream(raw)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static void beginLog(File file) throws Exception {
    Files.deleteIfExists(file.toPath());
    Edt.run(() -> {
      Inside.field(GameModule.class, "fileChooser").set(Table.module(), new FixedChooser(file));
      final Action action = (Action) Inside.get(Table.logger(), "newLogAction");
      if (!action.isEnabled()) {
        Report.problem("strict", "a log cannot be begun now");
      }
      action.actionPerformed(new ActionEvent(Games.class, 0, ""));
    });
  }

  static void endLog() throws Exception {
    Edt.run(() -> {
      final Action action = (Action) Inside.get(Table.logger(), "endLogAction");
      action.actionPerformed(new ActionEvent(Games.class, 0, ""));
      Inside.field(GameModule.class, "fileChooser").set(Table.module(), null);
    });
  }

  /** The steps of the log that is open. */
  @SuppressWarnings("unchecked")
  static List<Command> input() throws Exception {
    return (List<Command>) Inside.get(Table.logger(), "logInput");
  }

  static int nextStep() throws Exception {
    return Inside.field(BasicLogger.class, "nextInput").getInt(Table.logger());
  }

  /** Plays one step of the open log; false when there is none left. */
  static boolean step() throws Exception {
    final int index = nextStep();
    final List<Command> steps = input();
    if (index >= steps.size()) {
      return false;
    }
    final Command command = steps.get(index);
    final List<String> tree = new ArrayList<>();
    final java.util.Map<String, java.util.Map<String, Object>> before = Edt.call(() -> {
      Strict.tree(command, 0, tree);
      final Set<String> ids = new HashSet<>();
      Table.state().getAllPieces().forEach(p -> ids.add(p.getId()));
      Strict.step(command, ids);
      return Table.snapshot();
    });
    Edt.run(() -> Inside.call(Table.logger(), "step"));
    final Object changes = Table.changes(before, Edt.call(Table::snapshot));
    final List<String> chat = Watch.newChat();
    Report.say("step", "step", index + 1, "of", steps.size(), "tree", tree,
      "changes", changes, "chat", chat);
    return true;
  }

  /** A file dialog that has already been answered. */
  private static final class FixedChooser extends FileChooser {
    private final File file;

    FixedChooser(File file) {
      super(null, null);
      this.file = file;
    }

    @Override public File getCurrentDirectory() { return file.getParentFile(); }
    @Override public void setCurrentDirectory(File folder) { }
    @Override public void rescanCurrentDirectory() { }
    @Override public File getSelectedFile() { return file; }
    @Override public void setSelectedFile(File other) { }
    public int getFileSelectionMode() { return 0; }
    public void setFileSelectionMode(int mode) { }
    @Override public String getDialogTitle() { return ""; }
    @Override public void setDialogTitle(String title) { }
    @Override public int showOpenDialog(Component parent) { return APPROVE_OPTION; }
    @Override public int showSaveDialog(Component parent) { return APPROVE_OPTION; }
    @Override public FileFilter getFileFilter() { return null; }
    @Override public void setFileFilter(FileFilter filter) { }
    @Override public void addChoosableFileFilter(FileFilter filter) { }
    @Override public boolean removeChoosableFileFilter(FileFilter filter) { return false; }
    @Override public void resetChoosableFileFilters() { }
  }
}
