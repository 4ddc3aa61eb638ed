/** A sound point of interest in the short form, with the given connections. */
export function toPoi(Connections: unknown, members: Record<string, unknown> = {}) {
  return {
    ID: 501,
    DataProviderID: 1,
    UsageTypeID: 1,
    StatusTypeID: 50,
    NumberOfPoints: 2,
    AddressInfo: {
      Title: "Town Hall",
      AddressLine1: "1 Market Square",
      Postcode: "12345",
      Town: "Newtown",
      Latitude: 54.1,
      Longitude: 9.1,
    },
    Connections,
    DateLastStatusUpdate: "2024-04-18T06:03:00Z",
    SubmissionStatusTypeID: 200,
    ...members,
  };
}
