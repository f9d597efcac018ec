/// Media that is opened instead of the resource at a URL, as a value of `HTTPOptions`. Only the module that opens media
/// knows its type. Two values are equal only if their media are identical.
package struct SubstituteMedia: Sendable, Hashable {
    package let media: any AnyObject & Sendable
    package init(_ media: any AnyObject & Sendable) { self.media = media }

    package static func == (a: SubstituteMedia, b: SubstituteMedia) -> Bool { a.media === b.media }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(media)) }
}
