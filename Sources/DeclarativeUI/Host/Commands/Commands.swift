import Foundation
@_spi(Graph) import ViewGraph

/// The content of an app's menus. Same API as in SwiftUI. A custom type may have `@State`, `@FocusedValue` and other
/// properties.
@MainActor @preconcurrency
public protocol Commands: _PropertyHolder {
    /// The type of the commands that these commands consist of.
    associatedtype Body: Commands
    /// The commands of a custom type. The property is evaluated again when a value that it reads changes.
    @CommandsBuilder @MainActor @preconcurrency var body: Body { get }
    /// Returns the view that represents the commands in the graph. Not for apps.
    static func _commandView(_ commands: Self) -> AnyView
}

extension Commands {
    public static func _commandView(_ commands: Self) -> AnyView { AnyView(CommandsView(commands: commands)) }
}

struct CommandsView<C: Commands>: View {
    let commands: C
    var body: AnyView { C.Body._commandView(commands.body) }
}

extension Never: Commands {
    public static func _commandView(_ commands: Never) -> AnyView {}
}

/// A result builder for a `commands` block. Same API as in SwiftUI.
@resultBuilder @MainActor @preconcurrency
public struct CommandsBuilder {
    /// Returns commands unchanged.
    public static func buildExpression<C: Commands>(_ commands: C) -> C { commands }
    /// Returns no commands for an empty block.
    public static func buildBlock() -> EmptyCommands { EmptyCommands() }
    /// Returns the only commands of a block unchanged.
    public static func buildBlock<C: Commands>(_ commands: C) -> C { commands }
    /// Joins the commands of a block in their order.
    @_disfavoredOverload
    public static func buildBlock<each C: Commands>(_ commands: repeat each C) -> some Commands {
        var views: [AnyView] = []
        for command in repeat each commands { views.append(viewOf(command)) }
        return CommandList(views: views)
    }
    /// Returns the commands of an `if` without `else`. Nil adds no commands.
    public static func buildIf<C: Commands>(_ commands: C?) -> some Commands {
        CommandList(views: commands.map { [viewOf($0)] } ?? [])
    }
    /// Returns the commands of the branch after `if`.
    public static func buildEither<T: Commands, F: Commands>(first: T) -> _ConditionalCommands<T, F> {
        _ConditionalCommands(first: first, second: nil)
    }
    /// Returns the commands of the branch after `else`.
    public static func buildEither<T: Commands, F: Commands>(second: F) -> _ConditionalCommands<T, F> {
        _ConditionalCommands(first: nil, second: second)
    }
    private static func viewOf<C: Commands>(_ commands: C) -> AnyView { C._commandView(commands) }
}

struct CommandList: Commands {
    let views: [AnyView]
    var body: Never { preconditionFailure("only the graph evaluates commands") }
    static func _commandView(_ commands: CommandList) -> AnyView {
        AnyView(ForEach(Array(commands.views.indices), id: \.self) { commands.views[$0] })
    }
}

/// The commands of an `if`/`else`.
public struct _ConditionalCommands<T: Commands, F: Commands>: Commands {
    let first: T?, second: F?
    public var body: Never { preconditionFailure("only the graph evaluates commands") }
    public static func _commandView(_ commands: Self) -> AnyView {
        commands.first.map { T._commandView($0) } ?? commands.second.map { F._commandView($0) } ?? AnyView(EmptyView())
    }
}

/// An empty set of commands.
public struct EmptyCommands: Commands {
    /// Creates an empty set of commands. Callable on any thread.
    nonisolated public init() {}
    public var body: Never { preconditionFailure("only the graph evaluates commands") }
    public static func _commandView(_ commands: Self) -> AnyView { AnyView(EmptyView()) }
}

/// A menu of the app, between View and Window.
///
/// ```swift
/// WindowGroup { ContentView() }
///     .commands {
///         CommandMenu("Playback") {
///             Button("Next video") { showNext() }.keyboardShortcut("n")
///         }
///     }
/// ```
/// Buttons, toggles, pickers, menus, dividers and text in its content become entries. The keyboard shortcuts of entries
/// work in every window of the app. However, a control that has the focus handles its own keys first: without Ctrl or
/// Alt, a text field handles letters, for example.
public struct CommandMenu<Content: View>: Commands {
    let name: String
    let content: Content
    /// Creates a menu with a name from the app's translations.
    public init(_ nameKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        name = nameKey.resolved(nil, nil)
        self.content = content()
    }
    /// Creates a menu with the characters of a `Text` as name. The text's attributes are ignored.
    public init(_ name: Text, @ViewBuilder content: () -> Content) {
        self.name = name.string
        self.content = content()
    }
    /// Creates a menu with a name that is shown unchanged.
    @_disfavoredOverload public init<S: StringProtocol>(_ name: S, @ViewBuilder content: () -> Content) {
        self.name = String(name)
        self.content = content()
    }
    public var body: Never { preconditionFailure("only the graph evaluates commands") }
    public static func _commandView(_ commands: Self) -> AnyView {
        AnyView(CommandPart(part: .menu(commands.name), content: AnyView(commands.content)))
    }
}

/// Entries for one of the standard menus, in addition to or instead of the standard entries. Same API as in SwiftUI.
///
/// ```swift
/// WindowGroup { ContentView() }
///     .commands {
///         CommandGroup(replacing: .newItem) {
///             Button("Open URL…") { asksForURL = true }.keyboardShortcut("l")
///         }
///     }
/// ```
public struct CommandGroup<Content: View>: Commands {
    let part: CommandElement.Part
    let content: Content
    /// Creates entries before those of `group`.
    public init(before group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {
        part = .group(group, .before)
        content = addition()
    }
    /// Creates entries after those of `group`.
    public init(after group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {
        part = .group(group, .after)
        content = addition()
    }
    /// Creates entries instead of those of `group`.
    public init(replacing group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {
        part = .group(group, .replacing)
        content = addition()
    }
    public var body: Never { preconditionFailure("only the graph evaluates commands") }
    public static func _commandView(_ commands: Self) -> AnyView {
        AnyView(CommandPart(part: commands.part, content: AnyView(commands.content)))
    }
}

/// The position of a group of entries in the app's menus, which are ordered as on a Linux desktop.
public struct CommandGroupPlacement: Hashable, Sendable {
    let name: String
    /// The group in File with New Window.
    public static let newItem = CommandGroupPlacement(name: "newItem")
    /// The group in File with Close Window.
    public static let saveItem = CommandGroupPlacement(name: "saveItem")
    /// An empty group in File.
    public static let importExport = CommandGroupPlacement(name: "importExport")
    /// An empty group in File.
    public static let printItem = CommandGroupPlacement(name: "printItem")
    /// An empty group in File, because Linux has no system services.
    public static let systemServices = CommandGroupPlacement(name: "systemServices")
    /// The group in File with Quit.
    public static let appTermination = CommandGroupPlacement(name: "appTermination")
    /// An empty group in Edit. Text fields have their own menu and keys.
    public static let undoRedo = CommandGroupPlacement(name: "undoRedo")
    /// An empty group in Edit.
    public static let pasteboard = CommandGroupPlacement(name: "pasteboard")
    /// An empty group in Edit.
    public static let textEditing = CommandGroupPlacement(name: "textEditing")
    /// An empty group in Edit.
    public static let textFormatting = CommandGroupPlacement(name: "textFormatting")
    /// An empty group at the end of Edit, where Linux desktops have the preferences.
    public static let appSettings = CommandGroupPlacement(name: "appSettings")
    /// An empty group in View.
    public static let toolbar = CommandGroupPlacement(name: "toolbar")
    /// An empty group in View, before Full Screen.
    public static let sidebar = CommandGroupPlacement(name: "sidebar")
    /// An empty group in Window.
    public static let windowSize = CommandGroupPlacement(name: "windowSize")
    /// An empty group in Window.
    public static let windowArrangement = CommandGroupPlacement(name: "windowArrangement")
    /// An empty group in Window.
    public static let windowList = CommandGroupPlacement(name: "windowList")
    /// An empty group in Window.
    public static let singleWindowList = CommandGroupPlacement(name: "singleWindowList")
    /// An empty group in Window.
    public static let appVisibility = CommandGroupPlacement(name: "appVisibility")
    /// An empty group in Help.
    public static let help = CommandGroupPlacement(name: "help")
    /// An empty group at the end of Help, where Linux desktops have About.
    public static let appInfo = CommandGroupPlacement(name: "appInfo")
}

extension Scene {
    /// Adds menus to the app, above the content of each of its windows.
    ///
    /// The menus are File (New Window, Close Window, Quit), View (Full Screen) and the app's own. Edit, Window and Help
    /// appear if they have entries.
    public func commands<Content: Commands>(@CommandsBuilder content: () -> Content) -> some Scene {
        let commands = content()
        return ModifiedScene(scene: self) { scene in
            AnyView(TupleView(scene, CommandsHost(content: Content._commandView(commands))))
        }
    }
}
