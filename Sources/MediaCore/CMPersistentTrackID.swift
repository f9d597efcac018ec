/// The identifier of a track in an asset, greater than 0. Core Media's type.
public typealias CMPersistentTrackID = Int32
/// The identifier that no track has: 0.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
