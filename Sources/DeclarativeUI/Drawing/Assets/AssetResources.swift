import Foundation
@_spi(Graph) import ViewGraph

/// An image of an asset catalog, by its name. Matches SwiftUI's type. Can be used on any thread.
///
/// `zoetrope port` generates a member for each image, as Xcode does: `ImageResource.playCustom` for `play.custom`.
public struct ImageResource: Hashable, @unchecked Sendable {
    // The type is unchecked because of `bundle`. All values are immutable, and a bundle may be used on any thread.
    let name: String
    let bundle: Bundle

    /// Creates a resource. The image is looked up when a view shows it, or when a `UIImage` is created from it.
    ///
    /// - Parameters:
    ///   - name: The name in the asset catalog, with the folders that provide a namespace: `Icons/play`.
    ///   - bundle: The bundle to search first. The search continues in the program's resources and in the working
    ///     directory.
    public init(name: String, bundle: Bundle) {
        self.name = name
        self.bundle = bundle
    }
}

/// A color of an asset catalog, by its name. Matches SwiftUI's type. Can be used on any thread.
///
/// `zoetrope port` generates a member for each color, as Xcode does: `ColorResource.accent` for `AccentColor`.
public struct ColorResource: Hashable, @unchecked Sendable {
    // The type is unchecked because of `bundle`. All values are immutable, and a bundle may be used on any thread.
    let name: String
    let bundle: Bundle

    /// Creates a resource. The color is looked up when a `Color` or `UIColor` is created from the resource.
    ///
    /// - Parameters:
    ///   - name: The name in the asset catalog, with the folders that provide a namespace: `Brand/red`.
    ///   - bundle: The bundle to search first. The search continues in the program's resources and in the working
    ///     directory.
    public init(name: String, bundle: Bundle) {
        self.name = name
        self.bundle = bundle
    }
}

extension Image {
    /// Creates an image from an asset catalog, as `init(_:bundle:)` does.
    public init(_ resource: ImageResource) { self.init(resource.name, bundle: resource.bundle) }
    /// Creates an image from an asset catalog that assistive technology ignores.
    public init(decorative resource: ImageResource) { self.init(decorative: resource.name, bundle: resource.bundle) }
}

extension Color {
    /// Creates a color from an asset catalog, as `init(_:bundle:)` does.
    public init(_ resource: ColorResource) { self.init(resource.name, bundle: resource.bundle) }
}

extension UIColor {
    /// Creates a color from an asset catalog. A missing color is magenta, and an error is logged once for its name.
    public convenience init(resource: ColorResource) { self.init(Color(resource)) }
}

extension UIImage {
    /// Creates an image from an asset catalog. A missing image is empty; views show a placeholder for it and log an
    /// error.
    public convenience init(resource: ImageResource) {
        guard let found = UIImage(named: resource.name, in: resource.bundle) else {
            self.init(.resource(resource.name, resource.bundle), .zero, 1)
            return
        }
        self.init(found.source, found.size, found.scale, renderingMode: found.renderingMode, ownColor: found.ownColor)
    }
}
