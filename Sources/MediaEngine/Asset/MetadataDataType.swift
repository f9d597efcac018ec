// Types of `AVMutableMetadataItem.dataType`, with the values of Core Media (`CMMetadata.h`).

/// The type of text.
public let kCMMetadataBaseDataType_UTF8 = "com.apple.metadata.datatype.UTF-8"
/// The type of bytes without a format.
public let kCMMetadataBaseDataType_RawData = "com.apple.metadata.datatype.raw-data"
/// The type of the bytes of a JPEG file.
public let kCMMetadataBaseDataType_JPEG = "com.apple.metadata.datatype.JPEG"
/// The type of the bytes of a PNG file.
public let kCMMetadataBaseDataType_PNG = "com.apple.metadata.datatype.PNG"
