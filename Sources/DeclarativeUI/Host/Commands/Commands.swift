import Foundation
@_spi(Graph) import ViewGraph

/// What an app's menus consist of. SwiftUI's protocol; a type of one's own may hold `@State`, `@FocusedValue` and the
/// rest.
@MainActor @preconcurrency
public protocol Commands: _PropertyHolder {
    /// The type of the commands that these are made of.
    associatedtype Body: Commands
    /// The commands, for a type of one's own. Evaluated again when something that it read has changed.
    @CommandsBuilder @MainActor @preconcurrency var body: Body { get }
    /// Not for apps.
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

/// Collects the commands of a `commands` block: SwiftUI's result builder.
@resultBuilder @MainActor @preconcurrency
public struct CommandsBuilder {
    /// Takes commands as they are.
    public static func buildExpression<C: Commands>(_ commands: C) -> C { commands }
    /// An empty block: no commands.
    public static func buildBlock() -> EmptyCommands { EmptyCommands() }
    /// Takes the only commands of a block as they are.
    public static func buildBlock<C: Commands>(_ commands: C) -> C { commands }
    /// Joins the commands of a block, in their order.
    @_disfavoredOverload
    public static func buildBlock<each C: Commands>(_ commands: repeat each C) -> some Commands {
        var views: [AnyView] = []
        for one in repeat each commands { views.append(viewOf(one)) }
        return CommandList(views: views)
    }
    /// Takes what stands in an `if` without `else`; nil adds no commands.
    public static func buildIf<C: Commands>(_ commands: C?) -> some Commands {
        CommandList(views: commands.map { [viewOf($0)] } ?? [])
    }
    /// Takes the commands of the branch after `if`.
    public static func buildEither<T: Commands, F: Commands>(first: T) -> _ConditionalCommands<T, F> {
        _ConditionalCommands(first: first, second: nil)
    }
    /// Takes the commands of the branch after `else`.
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

/// None.
public struct EmptyCommands: Commands {
    /// Makes no commands. On any thread.
    nonisolated public init() {}
    public var body: Never { preconditionFailure("only the graph evaluates commands") }
    public static func _commandView(_ commands: Self) -> AnyView { AnyView(EmptyView()) }
}

/// A menu of the app's own, between View and Window. Of its content, buttons, toggles, pickers, menus, dividers and
/// texts become entries, and keys that a `keyboardShortcut` gives them hold in every window of the app, wherever the
/// focus is.
public struct CommandMenu<Content: View>: Commands {
    let name: String
    let content: Content
    /// A menu whose name is looked up in the app's translations.
    public init(_ nameKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        name = nameKey.resolved(nil, nil)
        self.content = content()
    }
    /// A menu named by the words of a text; its looks are left out.
    public init(_ name: Text, @ViewBuilder content: () -> Content) {
        self.name = name.string
        self.content = content()
    }
    /// A menu whose name is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ name: S, @ViewBuilder content: () -> Content) {
        self.name = String(name)
        self.content = content()
    }
    public var body: Never { preconditionFailure("only the graph evaluates commands") }
    public static func _commandView(_ commands: Self) -> AnyView {
        AnyView(CommandPart(part: .menu(commands.name), content: AnyView(commands.content)))
    }
}

/// Entries for one of the menus that every app has, beside or instead of what stands there. SwiftUI's type.
public struct CommandGroup<Content: View>: Commands {
    let part: CommandElement.Part
    let content: Content
    /// Entries before those of `group`.
    public init(before group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {
        part = .group(group, .before)
        content = addition()
    }
    /// Entries after those of `group`.
    public init(after group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {
        part = .group(group, .after)
        content = addition()
    }
    /// Entries instead of those of `group`.
    public init(replacing group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {
        part = .group(group, .replacing)
        content = addition()
    }
    public var body: Never { preconditionFailure("only the graph evaluates commands") }
    public static func _commandView(_ commands: Self) -> AnyView {
        AnyView(CommandPart(part: commands.part, content: AnyView(commands.content)))
    }
}

/// Where a group of entries stands; the menus are those of a Linux desktop.
public struct CommandGroupPlacement: Hashable, Sendable {
    let name: String
    /// File: New Window.
    public static let newItem = CommandGroupPlacement(name: "newItem")
    /// File: Close Window.
    public static let saveItem = CommandGroupPlacement(name: "saveItem")
    /// File; nothing stands there.
    public static let importExport = CommandGroupPlacement(name: "importExport")
    /// File; nothing stands there.
    public static let printItem = CommandGroupPlacement(name: "printItem")
    /// File; nothing stands there: on Linux there are no services.
    public static let systemServices = CommandGroupPlacement(name: "systemServices")
    /// File: Quit.
    public static let appTermination = CommandGroupPlacement(name: "appTermination")
    /// Edit; nothing stands there: texts have their own menu and keys.
    public static let undoRedo = CommandGroupPlacement(name: "undoRedo")
    /// Edit; nothing stands there.
    public static let pasteboard = CommandGroupPlacement(name: "pasteboard")
    /// Edit; nothing stands there.
    public static let textEditing = CommandGroupPlacement(name: "textEditing")
    /// Edit; nothing stands there.
    public static let textFormatting = CommandGroupPlacement(name: "textFormatting")
    /// Edit, last, where Linux desktops have preferences; nothing stands there.
    public static let appSettings = CommandGroupPlacement(name: "appSettings")
    /// View; nothing stands there.
    public static let toolbar = CommandGroupPlacement(name: "toolbar")
    /// View, before Full Screen; nothing stands there.
    public static let sidebar = CommandGroupPlacement(name: "sidebar")
    /// Window; nothing stands there.
    public static let windowSize = CommandGroupPlacement(name: "windowSize")
    /// Window; nothing stands there.
    public static let windowArrangement = CommandGroupPlacement(name: "windowArrangement")
    /// Window; nothing stands there.
    public static let windowList = CommandGroupPlacement(name: "windowList")
    /// Window; nothing stands there.
    public static let singleWindowList = CommandGroupPlacement(name: "singleWindowList")
    /// Window; nothing stands there.
    public static let appVisibility = CommandGroupPlacement(name: "appVisibility")
    /// Help; nothing stands there.
    public static let help = CommandGroupPlacement(name: "help")
    /// Help, last, where Linux desktops have About; nothing stands there.
    public static let appInfo = CommandGroupPlacement(name: "appInfo")
}

extension Scene {
    /// Gives the app menus, shown above the content of each of its windows: File (New Window, Close Window, Quit), View
    /// (Full Screen), the app's own, and Edit, Window, Help where it puts something there.
    public func commands<Content: Commands>(@CommandsBuilder content: () -> Content) -> some Scene {
        let commands = content()
        return ModifiedScene(scene: self) { scene in
            AnyView(TupleView(scene, CommandsHost(content: Content._commandView(commands))))
        }
    }
}
