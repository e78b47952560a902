"""Components of a module: the root, options, players, properties, palettes, buttons, documents."""

from __future__ import annotations

from builder.vassal.components import declare
from builder.vassal.components_map import BUTTON

__all__ = ["declare_all"]

_TB = f"name text tooltip icon:image hotkey:key {BUTTON}"
_NAMELESS = f"tooltip icon:image hotkey:key {BUTTON}"
_ROOT = (
    "name version=0.0 description ModuleOther1 ModuleOther2 VassalVersion=0.0 nextPieceSlotId:int=0"
)
_TOOLS = (
    "module.ToolbarMenu module.MultiActionButton module.DoActionButton module.DiceButton "
    "module.GlobalKeyCommand module.StartupGlobalKeyCommand module.Inventory "
    "module.RandomTextButton module.SpecialDiceButton module.PredefinedSetup module.ChartWindow "
    "module.PrivateMap module.PlayerHand module.NotesWindow module.turn.TurnTracker "
    "module.ChessClockControl module.PieceWindow module.Map module.folder.ModuleSubFolder"
)
_MODULE_CHILDREN = (
    "module.BasicCommandEncoder module.Documentation module.PlayerRoster module.GlobalOptions "
    "module.gamepieceimage.GamePieceImageDefinitions module.properties.GlobalProperties "
    "module.properties.GlobalTranslatableMessages module.PrototypesContainer module.Chatter "
    f"module.KeyNamer VASSAL.i18n.Language {_TOOLS}"
)
_WIDGETS = "widget.TabWidget widget.PanelWidget widget.BoxWidget widget.ListWidget"
_IN_WIDGET = f"{_WIDGETS} widget.PieceSlot widget.Chart widget.HtmlChart widget.MapWidget"


def declare_all() -> None:
    """Fill the table."""
    _declare_root()
    _declare_options()
    _declare_properties()
    _declare_palettes()
    _declare_buttons()
    _declare_turns()
    _declare_images()


def _declare_root() -> None:
    declare("VASSAL.build.GameModule", _ROOT, children=_MODULE_CHILDREN)
    declare("VASSAL.launch.BasicModule", _ROOT, children=_MODULE_CHILDREN)
    declare("module.folder.ModuleSubFolder", "name desc", children=_TOOLS)
    declare(
        "module.ModuleExtension",
        "anyModule:bool version=0.0 description module moduleVersion vassalVersion "
        "nextPieceSlotId:int=0 extensionId",
        children=f"module.ExtensionElement {_MODULE_CHILDREN}",
    )
    declare("module.ExtensionElement", "target")
    for tag in ["BasicCommandEncoder", "Chatter", "KeyNamer"]:
        declare(f"module.{tag}")
    declare("VASSAL.i18n.Language", children="VASSAL.i18n.Translation")
    declare("VASSAL.i18n.Translation", "locale")
    pages = ["AboutScreen", "HelpFile", "BrowserHelpFile", "BrowserPDFFile", "Tutorial"]
    declare(
        "module.Documentation", children=" ".join(f"module.documentation.{page}" for page in pages)
    )
    declare("module.documentation.AboutScreen", "title fileName:image")
    declare("module.documentation.HelpFile", "title fileName vassalDoc=user fileType=archive")
    declare("module.documentation.BrowserHelpFile", "title startingPage")
    declare("module.documentation.BrowserPDFFile", "title pdfFile")
    declare(
        "module.documentation.Tutorial",
        "name logfile launchOnStartup:bool promptMessage welcomeMessage",
    )
    declare(
        "module.PredefinedSetup",
        "name description isMenu:bool useFile:bool=true file",
        children="module.PredefinedSetup",
    )


def _declare_options() -> None:
    declare(
        "module.PlayerRoster",
        "description buttonText buttonToolTip buttonIcon:image buttonKeyStroke:key",
        children="entry",
    )
    declare("entry", text=True)
    preferences = [f"VASSAL.preferences.{kind}Preference" for kind in _PREFERENCES.split()]
    declare(
        "module.GlobalOptions",
        "description nonOwnerUnmaskable=Never promptString autoReport=Always "
        "playerIdFormat=$PlayerName$ chatterHTMLSupport=Never hotKeysOnClosedWindows=Never "
        "inventoryForAll=Always sendToLocationMoveTrails=Never "
        "storeLeadingZeroIntegersAsStrings:bool purgeBlankPropertyPrompts:bool=true "
        "disablePieceIndexing:bool minMaxHeap:int=0 markMoved",
        children="option " + " ".join(preferences),
        any_attribute=True,
    )
    declare("option", "name", text=True)
    for tag in preferences:
        extra = " list" if "Enum" in tag else ""
        declare(tag, "tab desc name default" + extra)


_PREFERENCES = "String Text Enum Integer Double Boolean"


def _declare_properties() -> None:
    declare(
        "module.properties.GlobalProperties",
        children="module.properties.GlobalProperty module.folder.GlobalPropertyFolder "
        "module.properties.ScenarioPropertiesOptionTab",
    )
    declare(
        "module.folder.GlobalPropertyFolder",
        "name desc",
        children="module.properties.GlobalProperty module.folder.GlobalPropertyFolder",
    )
    for kind in ["GlobalProperty", "ZoneProperty"]:
        declare(
            f"module.properties.{kind}",
            "name initialValue description isNumeric:bool min max wrap:bool",
            children="module.properties.ChangePropertyButton",
        )
    declare(
        "module.properties.ChangePropertyButton",
        f"desc text reportFormat propChanger {_NAMELESS}",
    )
    kinds = ["Boolean", "String", "Number", "List"]
    declare(
        "module.properties.ScenarioPropertiesOptionTab",
        "name description report heading leftAlign=right",
        children=" ".join(f"module.properties.{kind}ScenarioProperty" for kind in kinds),
        since="3.7.0",
    )
    for kind in kinds:
        declare(
            f"module.properties.{kind}ScenarioProperty",
            "name initialValue description hotkey:key switch" + " options" * (kind == "List"),
            since="3.7.0",
        )
    declare(
        "module.properties.GlobalTranslatableMessages",
        children="module.properties.GlobalTranslatableMessage",
    )
    declare("module.properties.GlobalTranslatableMessage", "name initialValue description")
    declare(
        "module.PrototypesContainer",
        children="module.PrototypeDefinition module.folder.PrototypeFolder",
    )
    declare(
        "module.folder.PrototypeFolder",
        "name desc",
        children="module.PrototypeDefinition module.folder.PrototypeFolder",
    )
    declare("module.PrototypeDefinition", "name description", text=True)


def _declare_palettes() -> None:
    window = "name description text tooltip icon:image hotkey:key"
    declare(
        "module.PieceWindow",
        f"{window} hidden:bool scale:float=1.0 defaultWidth:int entryName",
        children=_WIDGETS,
    )
    declare("module.ChartWindow", f"{window} label", children=_IN_WIDGET)
    declare("widget.TabWidget", "entryName description", children=_IN_WIDGET)
    declare(
        "widget.PanelWidget",
        "entryName description fixed:bool nColumns:int=3 vert:bool scale:float=1.0",
        children=_IN_WIDGET,
    )
    declare(
        "widget.ListWidget",
        "entryName description scale:float=1.0 width:int height:int divider:int",
        children=_IN_WIDGET,
    )
    declare("widget.BoxWidget", "entryName width:int height:int", children=_IN_WIDGET)
    declare("widget.Chart", "chartName description fileName:image")
    declare("widget.HtmlChart", "chartName description fileName")
    declare("widget.MapWidget", "entryName description", children="widget.WidgetMap")


_ACTION = (
    "doReport:bool reportFormat doSound:bool soundClip doHotkey:bool hotkeys doLoop:bool "
    "loopType=counted loopCount=1 whileExpression untilExpression preLoopKey:key postLoopKey:key "
    "index:bool indexProperty indexStart=1 indexStep=1"
)
_DICE = (
    "reportFormat prompt:bool nDice:int=2 lockDice:bool plus:int=0 lockPlus:bool addToTotal:int=0 "
    "lockAdd:bool reportTotal:bool sortDice:bool keepDice:bool keepOption=> keepCount:int=1"
)


def _declare_buttons() -> None:
    declare("module.DiceButton", f"{_TB} {_DICE} nSides:int=6 lockSides:bool")
    declare(
        "module.RandomTextButton", f"{_TB} {_DICE} nSides:int=6 lockSides:bool faces numeric:bool"
    )
    declare(
        "module.SpecialDiceButton",
        f"{_TB} description resultChatter:bool=true format resultWindow:bool "
        "windowTitleResultFormat=$name$ resultButton:bool windowX:int windowY:int "
        f"backgroundColor:color {_ACTION}",
        children="module.SpecialDie",
    )
    declare("module.SpecialDie", "name format=$result$", children="module.SpecialDieFace")
    declare("module.SpecialDieFace", "text value:int icon:image")
    declare("module.DoActionButton", f"{_TB} {_ACTION}")
    menu = f"description text {_NAMELESS} menuItems"
    declare("module.ToolbarMenu", menu)
    declare("module.MultiActionButton", menu)
    declare(
        "module.Inventory",
        f"{_TB} include groupBy nonLeafFormat=$PropertyValue$ foldersOnly:bool "
        "leafFormat=$PieceName$ sortPieces:bool=true sortFormat=$PieceName$ sorting=alpha "
        "centerOnPiece:bool=true forwardKeystroke:bool=true showMenu:bool=true "
        "drawPieces:bool=true zoomOn:bool pieceZoom:float=0.25 pieceZoom2:float=0.33 "
        "pieceZoom3:float=0.40 sides launchFunction=functionHide refreshHotkey:key",
    )
    declare("module.NotesWindow", f"buttonText description {_NAMELESS}")


def _declare_turns() -> None:
    levels = "module.turn.CounterTurnLevel module.turn.ListTurnLevel"
    declare(
        "module.turn.TurnTracker",
        "name description buttonText icon:image hotkey:key nexthotkey:key prevhotkey:key "
        "turnFormat='$level1$ $level2$ $level3$ $level4$' reportFormat tooltip "
        "lengthStyle=Maximum length:int plusButtonSize:int=22 turnButtonHeight:int=22 "
        "fwdOnly:bool",
        children=f"{levels} module.turn.TurnGlobalHotkey",
    )
    declare(
        "module.turn.CounterTurnLevel",
        "name property turnFormat=$value$ start:int=1 incr:int=1 loop:bool loopLimit:int=-1",
        children=levels,
    )
    declare(
        "module.turn.ListTurnLevel",
        "name property turnFormat=$value$ list configList:bool configFirst:bool prompt",
        children=levels,
    )
    declare("module.turn.TurnGlobalHotkey", "name hotkey:key match reportFormat")
    declare(
        "module.ChessClockControl",
        "name description icon:image buttonText buttonTooltip showHotkey:key nextHotkey:key "
        "startOpponentHotkey:key pauseHotkey:key showTenths=Auto showSeconds=Auto showHours=Auto "
        "showDays=Auto allowReset:bool",
        children="module.chessclockcontrol.ChessClock",
    )
    declare(
        "module.chessclockcontrol.ChessClock",
        "description side buttonText icon:image startHotkey:key stopHotkey:key "
        "tickingBackgroundColor:color=255,255,0 tickingFontColor:color=51,51,51 "
        "tockingFontColor:color=0,0,0 tooltip",
    )


def _declare_images() -> None:
    package = "module.gamepieceimage."
    declare(
        f"{package}GamePieceImageDefinitions",
        children=f"{package}ColorManager {package}FontManager {package}GamePieceLayoutsContainer",
    )
    declare(f"{package}ColorManager", children=f"{package}ColorSwatch")
    declare(f"{package}ColorSwatch", "name color:color")
    declare(f"{package}FontManager", children=f"{package}FontStyle")
    declare(f"{package}FontStyle", "name style")
    declare(f"{package}GamePieceLayoutsContainer", children=f"{package}GamePieceLayout")
    declare(
        f"{package}GamePieceLayout",
        "name width:int height:int border layout",
        children=f"{package}GamePieceImage",
    )
    declare(f"{package}GamePieceImage", "name bgColor borderColor props version")
