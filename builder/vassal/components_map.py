"""Components of a map: the map itself, its tools, decks and set-ups, boards and grids."""

from __future__ import annotations

from builder.vassal.components import declare

__all__ = ["BUTTON", "declare_all"]

BUTTON = "canDisable:bool propertyGate hideWhenDisabled:bool disabledIcon:image"
"""What every toolbar button has besides its name, texts, icon and hotkey, which vary in name."""

_MASS_KEY = (
    "name buttonText tooltip icon:image buttonHotkey:key hotkey:key singleMap:bool=true target "
    "filter deckCount=-1 reportSingle:bool suppressSounds:bool reportFormat parameters condition "
    f"propValue property names {BUTTON}"
)
_MAP = (
    "mapName description markMoved=Always markUnmovedText markUnmovedTooltip "
    "markUnmovedIcon:image=/images/unmoved.gif markUnmovedHotkey:key markUnmovedReport "
    "edgeWidth:int=0 edgeHeight:int=0 backgroundcolor:color=255,255,255 allowMultiple:bool "
    "color:color=0,0,0 thickness:int=3 launch:bool buttonName tooltip icon:image=/images/map.gif "
    "hotkey:key showKey:key hideKey:key onlyReportChangedLocation:bool moveWithinFormat "
    f"moveToFormat createFormat changeFormat=$message$ moveKey:key {BUTTON}"
)
_TOOLS = (
    "ForwardToKeyBuffer ForwardToChatter MenuDisplayer StackExpander MapCenterer KeyBufferer "
    "Scroller PieceMover StackMetrics HandMetrics ImageSaver TextSaver CounterDetailViewer Flare "
    "GlobalMap Zoomer LOS_Thread HidePiecesButton MassKeyCommand SelectionHighlighters "
    "HighlightLastMoved LayeredPieceCollection MapShader SetupStack DrawPile PieceRecenterer "
    "MoveCameraButton BoardPicker"
)
_MAP_CHILDREN = " ".join(f"module.map.{tool}" for tool in _TOOLS.split()) + (
    " module.properties.GlobalProperties module.ToolbarMenu module.MultiActionButton "
    "module.DoActionButton module.folder.MapSubFolder"
)
_METRICS = "up:key down:key top:key bottom:key disabled:bool color:color "
_SLOT = "entryName gpid width height"
_GRID_LOOK = "visible:bool dotsVisible:bool color:color=0,0,0"
_NUMBERING = (
    "first:letter=H sep hType:letter=N hLeading:int=1 hOff:int=1 hDescend:bool vType:letter=N "
    "vLeading:int=1 vOff:int=1 vDescend:bool locationFormat=$gridLocation$ visible:bool "
    "fontSize:int=9 color:color=0,0,0 rotateText:int=0 hDrawOff:int=0 vDrawOff:int=0"
)


def declare_all() -> None:
    """Fill the table."""
    _declare_maps()
    _declare_buttons()
    _declare_viewers()
    _declare_pieces()
    _declare_boards()


def _declare_maps() -> None:
    declare("module.Map", _MAP, children=_MAP_CHILDREN)
    private = f"{_MAP} side visible:bool useBoards"
    declare("module.PrivateMap", private, children=_MAP_CHILDREN)
    declare("module.PlayerHand", private, children=_MAP_CHILDREN)
    declare("widget.WidgetMap", _MAP, children=_MAP_CHILDREN)
    declare("module.folder.MapSubFolder", "name desc", children=_MAP_CHILDREN)
    for tool in ["ForwardToKeyBuffer", "ForwardToChatter", "MenuDisplayer", "StackExpander"]:
        declare(f"module.map.{tool}")
    declare("module.map.MapCenterer")
    declare("module.map.KeyBufferer")
    declare("module.map.Scroller", "useArrows=prompt")
    declare("module.map.PieceMover")
    metrics = "exSepX:int={} exSepY:int={} unexSepX:int={} unexSepY:int={}"
    declare("module.map.StackMetrics", _METRICS + metrics.format(6, 18, 2, 4))
    declare("module.map.HandMetrics", _METRICS + metrics.format(12, 0, 12, 0))
    declare("module.map.SelectionHighlighters", children="module.map.SelectionHighlighter")
    declare(
        "module.map.SelectionHighlighter",
        "name match useImage:bool color:color=255,0,0 thickness:int=3 image:image xoffset:int "
        "yoffset:int",
    )
    declare("module.map.HighlightLastMoved", "enabled:bool=true color:color thickness:int")


def _declare_buttons() -> None:
    plain = f"tooltip icon:image hotkey:key {BUTTON}"
    declare("module.map.ImageSaver", f"buttonText {plain}")
    declare("module.map.TextSaver", f"buttonText {plain}")
    declare(
        "module.map.Flare",
        "flareName description flareKey=keyAlt circleSize:int=100 circleColor:color=255,0,0 "
        "circleScale:bool=true flarePulses:int=6 flarePulsesPerSec:int=3 reportFormat",
    )
    declare(
        "module.map.GlobalMap",
        "scale:float=0.19444444 color:color buttonText tooltip icon:image=/images/overview.gif "
        "hotkey:key",
    )
    declare(
        "module.map.Zoomer",
        "zoomLevels=0.2,0.25,0.333,0.4,0.5,0.555,0.625,0.75,1.0,1.25,1.6 zoomStart:int=3 inTooltip "
        "inButtonText inIconName:image=/images/zoomIn.gif zoomInKey:key pickTooltip pickButtonText "
        "pickIconName:image=/images/zoom.png zoomPickKey:key outTooltip outButtonText "
        "outIconName:image=/images/zoomOut.gif zoomOutKey:key",
    )
    declare(
        "module.map.LOS_Thread",
        "threadName label tooltip iconName:image=/images/thread.gif hotkey:key report "
        "persistence='Ctrl-Click & Drag' persistentIconName:image global=Always snapStart:bool "
        "snapEnd:bool drawRange:bool scale:int round hideCounters:bool hideOpacity:int=0 "
        f"losThickness:int=1 threadColor:color rangeFg:color rangeBg:color {BUTTON}",
    )
    declare(
        "module.map.HidePiecesButton",
        "buttonText tooltip hotkey:key showingIcon:image hiddenIcon:image",
    )
    declare("module.map.MassKeyCommand", _MASS_KEY)
    declare("module.GlobalKeyCommand", _MASS_KEY)
    declare(
        "module.StartupGlobalKeyCommand",
        f"{_MASS_KEY} whenToApply=everyLaunchOfSession hotkeyOrKeyCommand=sendKeyCommand "
        "globalHotkey:key",
    )
    declare(
        "module.map.LayeredPieceCollection",
        "description property=Layer layerOrder",
        children="module.map.LayerControl",
    )
    declare(
        "module.map.LayerControl",
        f"text description command skip:bool=true layers {plain}",
    )
    declare(
        "module.map.MapShader",
        "name alwaysOn:bool startsOn:bool buttonText addToMapToolbar:bool boards=Yes boardList "
        "type=Foreground drawOver:bool pattern=25% color:color=0,0,0 image:image scaleImage:int "
        "opacity:int=100 border:bool borderColor:color borderWidth:int=1 borderOpacity:int=100 "
        + plain,
    )
    declare("module.map.PieceRecenterer", f"text {plain}")
    declare(
        "module.map.MoveCameraButton",
        "text moveCameraMode=L boardName zoneName regionName gridLocation xPos yPos xOffset=0 "
        f"yOffset=0 propertyFilter zoom {plain}",
        since="3.6.0",
    )


def _declare_viewers() -> None:
    declare(
        "module.map.CounterDetailViewer",
        "version description delay:int=700 hotkey:key=32,130 bgColor:color fgColor:color "
        "borderColor:color minDisplayPieces:int=2 zoomlevel:float=1.0 centerAll:bool "
        "borderThickness:int=2 borderInnerThickness:int=2 showgraph:bool=true "
        "centerPiecesVertically:bool graphicsZoom:float=1.0 showgraphsingle:bool borderWidth:int=0 "
        "verticalOffset:int showtext:bool enableHTML:bool centerText:bool "
        "stretchWidthSummary:bool stretchWidthPieces:bool combineCounterSummary:bool "
        "onlyShowFirstSummary:bool extraTextPadding:int verticalTopText:int=5 "
        "verticalBottomText:int=10 showtextsingle:bool fontSize:int=9 "
        "summaryReportFormat=$LocationName$ counterReportFormat "
        "emptyHexReportForma=$LocationName$ display layerList propertyFilter "
        "showTerrainBeneath showTerrainSnappy:bool showTerrainWidth:int showTerrainHeight:int "
        "showTerrainZoom:float showTerrainText showOnlyTopOfStack:bool showNoStack:bool "
        "showMoveSelectde:bool showNonMovable:bool unrotatePieces:bool showDeck:bool "
        "showDeckMasked:bool showDeckDepth:int showOverlap:bool stopAfterShowing:bool",
    )


def _declare_pieces() -> None:
    declare(
        "module.map.SetupStack",
        "name owningBoard useGridLocation:bool location x:int=100 y:int=100",
        children="widget.PieceSlot",
    )
    declare("widget.PieceSlot", _SLOT, text=True)
    declare("widget.CardSlot", _SLOT, text=True)
    declare(
        "module.map.DrawPile",
        "name description owningBoard x:int y:int width:int height:int allowMultiple:bool "
        "drawMultipleMessage allowSelect:bool drawSpecificMessage selectDisplayProperty "
        "selectSortProperty faceDown faceFlipHotkey:key faceUpMessage faceUpHotkey:key "
        "faceUpReportFormat faceDownMessage faceDownHotkey:key faceDownFormat drawFaceUp:bool "
        "shuffle shuffleCommand shuffleFormat shuffleHotkey:key reversible:bool reverseCommand "
        "reverseFormat reverseHotkey:key draw:bool color:color hotkeyOnEmpty:bool emptyHotkey:key "
        "reshufflable:bool reshuffleCommand reshuffleMessage reshuffleHotkey:key reshuffleTarget "
        "canSave:bool saveMessage saveHotkey:key saveReportFormat loadMessage loadHotkey:key "
        "loadReportFormat maxStack:int=10 expressionCounting:bool countExpressions "
        "restrictOption:bool restrictExpression deckRestrictAccess:bool deckOwners",
        children=f"widget.CardSlot module.map.DeckGlobalKeyCommand {_DECK_TOOLS}",
    )
    declare("module.folder.DeckSubFolder", "name desc", children=f"widget.CardSlot {_DECK_TOOLS}")
    declare(
        "module.map.DeckGlobalKeyCommand",
        "name hotkey:key target filter deckCount=-1 reportFormat reportSingle:bool "
        "suppressSounds:bool parameters",
    )
    command = "description menuText hotkey:key reportFormat"
    declare("module.map.deck.DeckSortKeyCommand", f"{command} sortParameters", since="3.7.0")
    declare(
        "module.map.deck.DeckSendKeyCommand",
        f"{command} variableDeck:bool targetDeck deckExpression sendMatching:bool matchExpression "
        "limitTotal:bool limitExpression stop:bool stopExpression stopAlso:bool applyOnMove:bool",
        since="3.7.0",
    )


_DECK_TOOLS = (
    "module.map.deck.DeckSortKeyCommand module.map.deck.DeckSendKeyCommand "
    "module.folder.DeckSubFolder"
)


def _declare_boards() -> None:
    board = "module.map.boardPicker."
    grids = " ".join(f"{board}board.{kind}Grid" for kind in ["Hex", "Square", "Region", "Zoned"])
    plain_grids = " ".join(grids.split()[:3])
    declare(
        "module.map.BoardPicker",
        "addColumnText addRowText boardPrompt title slotScale:float=0.2 slotWidth:int=350 "
        "slotHeight:int=125 maxColumns:int=0",
        children=f"{board}Board setup",
    )
    declare("setup", "", text=True)
    declare(
        f"{board}Board",
        "name image:image reversible:bool width:int=500 height:int=500 color:color",
        children=grids,
    )
    numbering = f"{board}board.mapgrid."
    declare(
        f"{board}board.HexGrid",
        "sideways:bool x0:int=0 y0:int=32 dy:float=64.0 dx:float=55.42562584220407 "
        f"snapTo:bool=true edgesLegal:bool cornersLegal:bool {_GRID_LOOK} snapscale:int=0",
        children=f"{numbering}HexGridNumbering {numbering}ObliqueHexGridNumbering",
    )
    declare(f"{numbering}HexGridNumbering", f"{_NUMBERING} stagger:bool=true")
    declare(f"{numbering}ObliqueHexGridNumbering", f"{_NUMBERING} stagger:bool=true", since="3.8.0")
    declare(
        f"{board}board.SquareGrid",
        "x0:int=24 y0:int=24 dx:float=48.0 dy:float=48.0 range=Metric snapTo:bool=true "
        f"edgesLegal:bool cornersLegal:bool {_GRID_LOOK}",
        children=f"{numbering}SquareGridNumbering",
    )
    declare(f"{numbering}SquareGridNumbering", _NUMBERING)
    declare(
        f"{board}board.RegionGrid",
        "snapto:bool=true visible:bool fontsize:int=9",
        children=f"{board}board.Region",
    )
    declare(f"{board}board.Region", "name originx:int originy:int")
    declare(
        f"{board}board.ZonedGrid",
        children=f"{numbering}Zone {plain_grids} {numbering}ZonedGridHighlighter",
    )
    declare(
        f"{numbering}Zone",
        "name locationFormat=$name$ path useParentGrid:bool useHighlight:bool highlightProperty",
        children=f"{plain_grids} module.properties.ZoneProperty",
    )
    declare(f"{numbering}ZonedGridHighlighter", children=f"{numbering}ZoneHighlight")
    declare(
        f"{numbering}ZoneHighlight",
        "name color:color coverage='Entire Zone' width:int=1 style=Plain image:image "
        "opacity:int=100",
    )
