import Foundation

extension Bundle {
    /// Returns the URLs of all resources with an extension, in the resource folder or in one of its subfolders.
    ///
    /// Foundation on Linux returns `NSURL` where Apple's returns `URL`. Swift prefers this method if the extension is a
    /// `String` that is not optional.
    ///
    /// - Parameters:
    ///   - ext: The extension without its dot.
    ///   - subpath: The name of the subfolder; nil for the resource folder itself.
    /// - Returns: The same URLs as Foundation's method, or nil if that method returns nil.
    public func urls(forResourcesWithExtension ext: String, subdirectory subpath: String?) -> [URL]? {
        let all: [NSURL]? = urls(forResourcesWithExtension: Optional(ext), subdirectory: subpath)
        return all?.map { $0 as URL }
    }
}
