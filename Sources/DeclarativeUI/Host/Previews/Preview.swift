import Foundation

/// A preview as a value: what `#Preview` makes. Apple's type of that name.
public struct Preview {
    /// What kind of preview a trait is for: views.
    public struct ViewTraits: Sendable {}

    let name: String?
    let traits: [PreviewTrait<ViewTraits>]
    let body: @MainActor () -> any View

    /// A preview of `body`.
    /// - Parameter name: what it is called in the list of previews; nil is a name made of where it stands.
    public init(
        _ name: String? = nil, traits: PreviewTrait<ViewTraits>...,
        @ViewBuilder body: @escaping @MainActor () -> any View
    ) {
        self.init(name, all: traits, body: body)
    }

    private init(_ name: String?, all: [PreviewTrait<ViewTraits>], body: @escaping @MainActor () -> any View) {
        self.name = name
        traits = all
        self.body = body
    }

    @MainActor
    var view: AnyView { traits.reduce(AnyView(body())) { $1.apply($0) } }
}

/// How a preview is shown. Apple's type of that name.
public struct PreviewTrait<T>: Sendable {
    let apply: @Sendable @MainActor (AnyView) -> AnyView
}

extension PreviewTrait where T == Preview.ViewTraits {
    private static func layout(_ layout: PreviewLayout) -> PreviewTrait {
        PreviewTrait { AnyView($0.modifier(PreviewRoom(layout: layout))) }
    }
    private static func orientation(_ orientation: InterfaceOrientation) -> PreviewTrait {
        PreviewTrait { AnyView($0.modifier(PreviewTurn(orientation: orientation))) }
    }

    /// As the app's windows.
    public static var defaultLayout: PreviewTrait { layout(.device) }
    /// A window of the size the view likes best.
    public static var sizeThatFitsLayout: PreviewTrait { layout(.sizeThatFits) }
    /// - Parameters: points.
    public static func fixedLayout(width: CGFloat, height: CGFloat) -> PreviewTrait {
        layout(.fixed(width: width, height: height))
    }

    /// Upright, as a telephone is held.
    public static var portrait: PreviewTrait { orientation(.portrait) }
    /// Upright and upside down, shown as `portrait` is.
    public static var portraitUpsideDown: PreviewTrait { orientation(.portraitUpsideDown) }
    /// Lying on a side.
    public static var landscapeLeft: PreviewTrait { orientation(.landscapeLeft) }
    /// Lying on the other side, shown as `landscapeLeft` is.
    public static var landscapeRight: PreviewTrait { orientation(.landscapeRight) }
}

/// What `#Preview` writes a type for, so that the preview is found by it. Apple's protocol of that name; not for apps.
public protocol PreviewRegistry {
    /// Where it stands: the module's name, a slash, the file's.
    static var fileID: String { get }
    /// The line of the file where the preview stands, from 1.
    static var line: Int { get }
    /// The column of that line, from 1.
    static var column: Int { get }
    /// Makes the preview. Main actor; throws what its making throws.
    @MainActor static func makePreview() throws -> Preview
}
