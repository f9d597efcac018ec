import Foundation

/// A preview as a value, which `#Preview` creates. Same API as Apple's type.
///
/// ```swift
/// #Preview("Player", traits: .fixedLayout(width: 640, height: 360)) {
///     ExtVideoPlayer(fileName: "film.mp4")
/// }
/// ```
public struct Preview {
    /// The kind of preview whose content is a view.
    public struct ViewTraits: Sendable {}

    let name: String?
    let traits: [PreviewTrait<ViewTraits>]
    let body: @MainActor () -> any View

    /// Creates a preview of `body`.
    /// - Parameters:
    ///   - name: The name in the list of previews. Nil means a name from its file and line.
    ///   - traits: The window's size and orientation.
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

/// A setting for how a preview is shown. Same API as Apple's type.
public struct PreviewTrait<T>: Sendable {
    let apply: @Sendable @MainActor (AnyView) -> AnyView
}

extension PreviewTrait where T == Preview.ViewTraits {
    private static func layout(_ layout: PreviewLayout) -> PreviewTrait {
        PreviewTrait { AnyView($0.modifier(PreviewSize(layout: layout))) }
    }
    private static func orientation(_ orientation: InterfaceOrientation) -> PreviewTrait {
        PreviewTrait { AnyView($0.modifier(PreviewOrientation(orientation: orientation))) }
    }

    /// The size of the app's windows.
    public static var defaultLayout: PreviewTrait { layout(.device) }
    /// The view's preferred size.
    public static var sizeThatFitsLayout: PreviewTrait { layout(.sizeThatFits) }
    /// Returns a trait for a fixed size.
    /// - Parameters:
    ///   - width: The width in points.
    ///   - height: The height in points.
    public static func fixedLayout(width: CGFloat, height: CGFloat) -> PreviewTrait {
        layout(.fixed(width: width, height: height))
    }

    /// Portrait orientation.
    public static var portrait: PreviewTrait { orientation(.portrait) }
    /// Portrait orientation upside down. Shown as `portrait`.
    public static var portraitUpsideDown: PreviewTrait { orientation(.portraitUpsideDown) }
    /// Landscape orientation.
    public static var landscapeLeft: PreviewTrait { orientation(.landscapeLeft) }
    /// Landscape orientation on the other side. Shown as `landscapeLeft`.
    public static var landscapeRight: PreviewTrait { orientation(.landscapeRight) }
}

/// A type that registers a preview. `#Preview` generates it. Same API as Apple's protocol; not for apps.
public protocol PreviewRegistry {
    /// The module and the file of the preview, separated by a slash.
    static var fileID: String { get }
    /// The line of the preview in its file, from 1.
    static var line: Int { get }
    /// The column of the preview in its line, from 1.
    static var column: Int { get }
    /// Returns the preview.
    /// - Throws: An error of the code that creates the preview.
    @MainActor static func makePreview() throws -> Preview
}
